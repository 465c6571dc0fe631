"""Fights: weapons and armour, exchanges, shots, damage, a whole fight foreseen."""
