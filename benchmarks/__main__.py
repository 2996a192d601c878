"""Runs benchmarks and prints their figures beside what they must not exceed."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def names() -> list[str]:
    """Every subject that can be measured."""
    found = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in found if not name.startswith("_"))


def main(wanted: list[str]) -> int:
    """Measure these, or all. 0 when every bound is kept, 1 when not, 2 for no such name."""
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    kept = True
    for name in wanted or names():
        print(name, flush=True)
        for figure in importlib.import_module(f"benchmarks.{name}").measure():
            print(f"  {figure}", flush=True)
            kept = kept and figure.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
