"""« Attributs », « Compétences »: the sheet and its creation."""
