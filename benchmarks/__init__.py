"""The measurements: one module a subject, each on its own.

A module has `measure()`, which yields `Figure`s, and is found by being in this folder; names that
begin with an underscore are shared parts. `python -m benchmarks` runs all, `python -m benchmarks
NAME…` some. Figures are ratios of medians taken in one run wherever a ratio says more than seconds.
"""
