"""Tensors of order 1 and 2 as rows without padding, in plain PyTorch."""
