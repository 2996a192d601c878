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


def run(name: str) -> bool:
    """Measure one subject and print its figures; whether every bound is kept.

    A subject without `measure` is a program with arguments of its own, and prints by itself.
    """
    module = importlib.import_module(f"benchmarks.{name}")
    if not hasattr(module, "measure"):
        sys.argv = [f"benchmarks.{name}"]
        return not module.main()
    kept = True
    for figure in module.measure():
        print(f"  {figure}", flush=True)
        kept = kept and figure.kept
    return kept


def main(wanted: list[str]) -> int:
    """Measure these, or all. 0 when every bound is kept, 1 when not, 2 for no such name."""
    unknown = [name for name in wanted if name not in names()]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    kept = []
    for name in wanted or names():
        print(name, flush=True)
        kept.append(run(name))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
