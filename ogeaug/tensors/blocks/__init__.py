"""Tensors of any order as dense blocks over clusters of eigenvalues."""
