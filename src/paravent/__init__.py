"""Paravent: rules engine and table for French science-fiction role-playing games."""
