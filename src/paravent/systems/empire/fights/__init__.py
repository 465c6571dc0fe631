"""« Combat rapproché », « Combats à distance », « Guérison »: blows, shots, and what they leave behind."""
