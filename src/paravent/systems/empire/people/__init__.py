"""« Création des Personnages », « Survie », « Pouvoirs »: characters, their life and their days, and who leads them."""
