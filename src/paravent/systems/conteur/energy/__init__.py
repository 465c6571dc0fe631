"""« L'énergie », « Utiliser la chance »: what one spends and how it comes back, day after day."""
