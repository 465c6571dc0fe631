"""« Genèse des mondes », « Civilisations », « Cartographie »: sectors, planets, peoples and maps."""
