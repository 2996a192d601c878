# verdict: invalid
"""Leaves as a program would."""

import sys

sys.exit(0)
