"""Installs the program in empty environments: what each route downloads, fills and takes.

    python -m benchmarks.install_routes [ROUTE ...]

Each route begins with an empty environment and pip's own cache switched off, and ends with a drill
graded by the installed program. Needs a network, so it is no part of `make bench`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CONSTRAINTS = REPOSITORY / "constraints.txt"
DRILL = "softmax"


@dataclass(frozen=True, slots=True)
class Route:
    """One way to install: the arguments of pip, and in which library a drill is graded then."""

    name: str
    asked: tuple[str, ...]
    graded_in: str


ROUTES = (
    Route("pip, without torch", (str(REPOSITORY),), "numpy"),
    Route("pip, with torch", (f"{REPOSITORY}[torch]",), "torch"),
    Route("pip, with PostgreSQL and pictures", (f"{REPOSITORY}[postgresql,pictures]",), "numpy"),
)


def run(*command: str | Path, home: Path) -> str:
    """Return the standard output of a command that must succeed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=home,
        env={**kept, "STUDYATTN_HOME": str(home / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return done.stdout


def megabytes(folder: Path) -> float:
    """Return what the files below `folder` take."""
    return sum(each.lstat().st_size for each in folder.rglob("*") if each.is_file()) / 1e6


def install(route: Route) -> str:
    """Install by `route` in an empty environment, grade a drill, and return a row of the table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        wheels, environment = folder / "wheels", folder / "env"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir")
        constraint = ("--constraint", CONSTRAINTS)
        begun = time.perf_counter()
        run(*pip, "wheel", "--wheel-dir", wheels, *constraint, *route.asked, home=folder)
        fetched = time.perf_counter() - begun
        venv.create(environment, with_pip=False)
        empty = megabytes(environment)
        begun = time.perf_counter()
        target = (*pip, "--python", environment, "install", "--no-index", "--no-deps")
        run(*target, *sorted(wheels.glob("*.whl")), home=folder)
        installed = time.perf_counter() - begun
        program = environment / "bin" / "studyattn"
        version = run(program, "--version", home=folder).strip()
        drills = REPOSITORY / "content" / "attention" / "drills" / DRILL
        name = "solution.py" if route.graded_in == "torch" else "solution_numpy.py"
        graded = run(program, "drill", "grade", DRILL, drills / name, "--json", home=folder)
        verdict = json.loads(graded)["verdict"]
        disk = megabytes(environment) - empty
        return (
            f"| {route.name} | {megabytes(wheels):,.0f} MB | {disk:,.0f} MB"
            f" | {fetched:.0f} + {installed:.0f} s | {version}; {DRILL} in {route.graded_in}:"
            f" {verdict} |"
        )


def main(arguments: Sequence[str]) -> int:
    """Print the table of the routes whose names hold one of `arguments`, of all without any."""
    print("| route | download | disk | fetched + installed | works |")
    print("|---|---|---|---|---|")
    for route in ROUTES:
        if not arguments or any(each in route.name for each in arguments):
            print(install(route), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
