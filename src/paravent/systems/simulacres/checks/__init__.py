"""Tests and what surrounds them: the usual ones, secret ones, duels, inner conflicts, comparisons, energies."""
