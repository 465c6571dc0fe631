"""Conteur D10: a pool of ten-sided dice under an attribute."""
