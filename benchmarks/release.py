"""Builds a release and checks it: `make release`.

    python -m benchmarks.release [--into DIR] [--python PYTHON ...]

The changelog's newest entry must have the program's version and a date, and nothing may be
uncommitted. Wheel and sdist are built twice, from the committed files, with the commit's time on
each file: both builds must be the same bytes. Then each of the two is installed with pip in an
empty environment of each Python that is found (3.11 to 3.14), where the program must tell its
version and grade a drill. Only then do the two files move into DIR (`build/release`), with their
SHA-256. Needs a network. Exit status 1 tells what is missing.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.install_routes import PYTHONS, REPOSITORY, Route, install
from studyattn import __version__

_ENTRY = re.compile(r"^## (?P<version>\S+) \((?P<date>[^)]*)\)$", re.MULTILINE)


def problems(changelog: str, changed: str, version: str = __version__) -> Iterator[str]:
    """Yield what keeps these files from being a release; `changed` is git's list of changes."""
    entry = _ENTRY.search(changelog)
    if entry is None or entry["version"] != version:
        found = entry["version"] if entry else "none"
        yield f"CHANGELOG.md begins with version {found}, but the program is {version}"
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", entry["date"]):
        yield f"CHANGELOG.md has no date for {version}, but ({entry['date']})"
    if changed.strip():
        yield f"uncommitted: {', '.join(line[3:] for line in changed.splitlines())}"


def build(into: Path) -> dict[str, Path]:
    """Build the sdist and the wheel of the last commit. Return them by name."""
    time = _git("log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as scratch:
        clone = Path(scratch) / "studyattn"
        _run("git", "clone", "--quiet", "--no-local", str(REPOSITORY), str(clone))
        command = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into))
        _run("env", f"SOURCE_DATE_EPOCH={time}", *command, str(clone))
    return {file.name: file for file in sorted(into.iterdir())}


def digest(file: Path) -> str:
    """Return the file's SHA-256 in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def pythons() -> Iterator[Path]:
    """Yield the Pythons that are found, one of each version that the program runs on."""
    for version in PYTHONS:
        installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        named = shutil.which(f"python{version}")
        if installed or named:
            yield installed[-1] if installed else Path(str(named))


def main(arguments: Sequence[str]) -> int:
    """Build and check a release; 1 if anything is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=REPOSITORY / "build" / "release")
    parser.add_argument("--python", type=Path, action="append", default=[])
    parser.add_argument("--try", dest="rehearse", action="store_true", help="check all the same")
    chosen = parser.parse_args(arguments)
    changelog = (REPOSITORY / "CHANGELOG.md").read_text("utf-8")
    missing = list(problems(changelog, _git("status", "--porcelain")))
    for problem in missing:
        print(problem, file=sys.stderr)
    if missing and not chosen.rehearse:
        return 1
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        built, again = build(Path(one)), build(Path(other))
        for name, file in built.items():
            if digest(file) != digest(again[name]):
                print(f"{name} is not the same when it is built again", file=sys.stderr)
                return 1
            print(f"{digest(file)}  {name}", flush=True)
        for python in chosen.python or pythons():
            for name, file in built.items():
                route = Route(f"{name}, {python}", "pip", (str(file),), "numpy")
                print(install(route, python.resolve()), flush=True)
        if not missing:
            chosen.into.mkdir(parents=True, exist_ok=True)
            for name, file in built.items():
                shutil.copy2(file, chosen.into / name)
            print(f"in {chosen.into}")
    return bool(missing)


def _git(*arguments: str) -> str:
    return _run("git", "-C", str(REPOSITORY), *arguments)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:] or done.stdout[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
