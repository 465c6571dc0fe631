"""« PSI »: what priests do with their minds."""
