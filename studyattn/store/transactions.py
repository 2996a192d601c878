"""The time that transactions wait for each other."""

PATIENCE = 20.0  # seconds to wait for another process's transaction
