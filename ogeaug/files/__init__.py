"""Files of ours: written whole or not at all, read with bounds, without pickle."""
