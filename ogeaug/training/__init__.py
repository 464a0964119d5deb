"""Configuration, training, prediction."""
