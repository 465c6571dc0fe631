"""Measures: our kernel beside its peers and beside hand-written numpy; ``python -m bench``."""
