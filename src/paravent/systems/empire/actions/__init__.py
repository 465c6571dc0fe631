"""« Procédures », « R.O.L.E. »: tests of skill and the rolls beside them, the quick rule."""
