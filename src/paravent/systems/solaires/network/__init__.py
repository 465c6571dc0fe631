"""SolNet and the matrix: searches, runs against nodes, beings on nodes."""
