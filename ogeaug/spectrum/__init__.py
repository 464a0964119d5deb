"""Graph -> Laplacian -> eigenpairs -> bands. Pure functions and frozen records."""
