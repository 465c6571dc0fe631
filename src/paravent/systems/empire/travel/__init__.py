"""« Déplacement », « Voyages spatiaux »: on foot, and between worlds."""
