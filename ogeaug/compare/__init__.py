"""One experiment with several encodings, at equal budget."""
