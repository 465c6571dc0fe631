"""« Matériel », « Robotique », « Sabotage »: objects and their wear, vehicles, computers, robots."""
