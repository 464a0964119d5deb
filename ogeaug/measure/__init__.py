"""Stability and expressivity: functions that return numbers."""
