"""Figures about studying: today, totals, and the simulated workload of a newcomer."""
