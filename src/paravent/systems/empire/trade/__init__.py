"""« Commerce »: goods, markets, haggling, customs and bribes."""
