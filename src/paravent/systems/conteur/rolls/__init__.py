"""« Lancer les dés », « Actions complexes », « Jets en opposition »: dice thrown alone, turn after turn, or opposed."""
