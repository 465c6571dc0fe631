"""« Animaux extra-terrestres », « Rencontres »: beasts, and the persons that one meets."""
