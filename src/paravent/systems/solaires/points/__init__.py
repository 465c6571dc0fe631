"""Character points: what they buy, under everybody's veto."""
