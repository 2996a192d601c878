"""Histories of two machines that are merged now and then: do they end in one state?

    python -m benchmarks.two_machines --examples 1000

The same as `tests/exchange/test_two_machines.py`, with more histories. One that fails is made
smaller and printed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from tests.exchange.homes import Homes
from tests.exchange.test_two_machines import Step, play, start, steps


def main() -> None:
    """Play the histories; an AssertionError shows the one that went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--examples", type=int, default=1000)
    examples = parser.parse_args().examples
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        homes = Homes(Path(folder), start())

        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        @given(steps)
        def ends_in_one_state(done: list[Step]) -> None:
            play(homes, done)

        ends_in_one_state()
    took = time.perf_counter() - began
    print(f"{examples} histories of two machines end in one state ({took:.0f} s)")


if __name__ == "__main__":
    main()
