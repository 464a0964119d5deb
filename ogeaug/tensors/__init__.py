"""Cartesian tensors over the bands of a spectrum, and the equivariant layers on them."""
