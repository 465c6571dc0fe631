"""What people carry: charges, ammunition, money, and the price lists of the table."""
