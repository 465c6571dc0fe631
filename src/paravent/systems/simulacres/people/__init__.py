"""Sheets: characters and how they are made, the game master's cast, skills, adventure points."""
