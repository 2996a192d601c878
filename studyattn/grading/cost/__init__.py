"""Cost of implementations as their input grows: measured in the sandbox, fitted to a power law."""
