"""Installs the program in empty environments: what each route downloads, fills and takes.

    python -m benchmarks.install_routes [ROUTE ...]
    python -m benchmarks.install_routes --python ~/.pyenv/versions/3.13.0/bin/python "without torch"
    python -m benchmarks.install_routes --platforms

Each route begins with an empty environment and no cache, and ends with a drill graded by the
installed program. `--platforms` installs nothing: it asks pip whether other machines would find
wheels of everything. Needs a network, so it is no part of `make bench`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CONSTRAINTS = REPOSITORY / "constraints.txt"
DRILL = "softmax"
QUIET = ("--disable-pip-version-check", "--no-cache-dir")


@dataclass(frozen=True, slots=True)
class Route:
    """A way to install: the tool, what it is asked for, and in which library a drill is graded."""

    name: str
    tool: str
    asked: tuple[str, ...]
    graded_in: str


TORCH = f"{REPOSITORY}[torch]"
ROUTES = (
    Route("pip, without torch", "pip", (str(REPOSITORY),), "numpy"),
    Route("pip, with torch", "pip", (TORCH,), "torch"),
    Route(
        "pip, with PostgreSQL and pictures",
        "pip",
        (f"{REPOSITORY}[postgresql,pictures]",),
        "numpy",
    ),
    Route("pipx, without torch", "pipx", ("install", str(REPOSITORY)), "numpy"),
    Route("pipx, with torch", "pipx", ("install", TORCH), "torch"),
    Route("uv, without torch", "uv", ("tool", "install", str(REPOSITORY)), "numpy"),
    Route("uv, with torch", "uv", ("tool", "install", "--torch-backend", "auto", TORCH), "torch"),
)
PLATFORMS = {
    "Linux, x86-64": "manylinux_2_28_x86_64",
    "Linux, ARM": "manylinux_2_28_aarch64",
    "Alpine, x86-64": "musllinux_1_2_x86_64",
    "macOS 14, Apple": "macosx_14_0_arm64",
    "macOS 14, Intel": "macosx_14_0_x86_64",
}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def run(*command: str | Path, home: Path, **environment: str | Path) -> str:
    """Return the standard output of a command that must succeed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    kept |= {name: str(value) for name, value in environment.items()}
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


def with_pip(route: Route, python: Path, folder: Path) -> tuple[Path, float, float, float]:
    """Install with pip. Return the programs, MB fetched, and seconds for that and for the rest."""
    wheels, environment = folder / "wheels", folder / "env"
    run(python, "-m", "venv", "--without-pip", environment, home=folder)
    pip = (sys.executable, "-m", "pip", *QUIET, "--python", environment)
    begun = time.perf_counter()
    constraint = ("--constraint", CONSTRAINTS)
    run(*pip, "wheel", "--wheel-dir", wheels, *constraint, *route.asked, home=folder)
    fetched = time.perf_counter() - begun
    begun = time.perf_counter()
    found = sorted(wheels.glob("*.whl"))
    run(*pip, "install", "--no-index", "--no-deps", *found, home=folder)
    return environment / "bin", megabytes(wheels), fetched, time.perf_counter() - begun


def with_tool(route: Route, python: Path, folder: Path) -> tuple[Path, None, None, float]:
    """Install with pipx or uv, which do not tell what they fetch. Return programs and seconds."""
    tool = folder / "tool"
    run(python, "-m", "venv", tool, home=folder)
    run(tool / "bin" / "python", "-m", "pip", *QUIET, "install", route.tool, home=folder)
    programs = folder / "programs"
    begun = time.perf_counter()
    run(
        tool / "bin" / route.tool,
        *route.asked,
        *("--python", str(python)),
        home=folder,
        PIPX_HOME=folder / "env",
        PIPX_BIN_DIR=programs,
        PIP_NO_CACHE_DIR="1",
        UV_TOOL_DIR=folder / "env",
        UV_TOOL_BIN_DIR=programs,
        UV_CACHE_DIR=folder / "cache",
    )
    return programs, None, None, time.perf_counter() - begun


def install(route: Route, python: Path) -> str:
    """Install by `route` in an empty environment, grade a drill, and return a row of the table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        using = with_pip if route.tool == "pip" else with_tool
        programs, download, fetched, installed = using(route, python, folder)
        program = programs / "studyattn"
        version = run(program, "--version", home=folder).strip()
        drills = REPOSITORY / "content" / "attention" / "drills" / DRILL
        name = "solution.py" if route.graded_in == "torch" else "solution_numpy.py"
        graded = run(program, "drill", "grade", DRILL, drills / name, "--json", home=folder)
        verdict = json.loads(graded)["verdict"]
        disk = megabytes(folder / "env")
        took = f"{installed:.0f} s" if fetched is None else f"{fetched:.0f} + {installed:.0f} s"
        return (
            f"| {route.name} | {'–' if download is None else f'{download:,.0f} MB'}"
            f" | {disk:,.0f} MB | {took} | {version}; {DRILL} in {route.graded_in}: {verdict} |"
        )


def wheels_for(asked: str, python: str, platform: str) -> str:
    """Return what pip would fetch for another machine, or what it has no wheel of."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
        run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, REPOSITORY, home=folder)
        (wheel,) = folder.glob("*.whl")
        command = (
            *(
                *pip,
                "install",
                "--dry-run",
                "--quiet",
                "--report",
                "-",
                "--target",
                folder / "none",
            ),
            *("--only-binary=:all:", "--python-version", python, "--platform", platform),
            # Wheels for older versions of the system do, too.
            *("--platform", platform.replace("2_28", "2_17").replace("1_2_", "1_1_")),
            f"{wheel}{asked}",
        )
        try:
            report = json.loads(run(*command, home=folder))
        except SystemExit as error:
            missing = [each for each in str(error).splitlines() if "No matching" in each]
            return missing[0].rpartition(" ")[2] if missing else str(error)
        return f"{len(report['install'])} packages"


def main(arguments: Sequence[str]) -> int:
    """Print the table of the routes whose names hold one of the texts, of all without any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("routes", nargs="*", metavar="ROUTE")
    parser.add_argument("--python", type=Path, default=Path(sys.executable).resolve())
    parser.add_argument("--platforms", action="store_true", help="look for wheels instead")
    chosen = parser.parse_args(arguments)
    if chosen.platforms:
        print(f"| machine | {' | '.join(PYTHONS)} |\n|---|{'---|' * len(PYTHONS)}")
        for name, platform in PLATFORMS.items():
            for asked in ("", "[torch]"):
                found = (wheels_for(asked, python, platform) for python in PYTHONS)
                print(f"| {name}{' with torch' * bool(asked)} | {' | '.join(found)} |", flush=True)
        return 0
    print("| route | download | disk | fetched + installed | works |\n|---|---|---|---|---|")
    for route in ROUTES:
        if not chosen.routes or any(each in route.name for each in chosen.routes):
            print(install(route, chosen.python), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
