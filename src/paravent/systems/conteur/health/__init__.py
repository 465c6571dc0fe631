"""« La santé », « Guérir ses blessures »: wounds taken, avoided, healed."""
