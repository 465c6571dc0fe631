"""« Maître du mental », particular talents: verbal duels, crowds, disguise, command, languages."""
