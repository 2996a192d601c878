"""What is measured, and how. `python -m benchmarks` prints it all as ratios."""
