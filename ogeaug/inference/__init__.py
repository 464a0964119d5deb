"""Prediction and encoding of tables, here or on many machines."""
