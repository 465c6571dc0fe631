"""What a game's tests stand on: traceability of rules, and a suite that every system passes."""
