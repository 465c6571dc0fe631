"""Characters and the game master's people and things: sheets, states, bodies."""
