"""Count the modules that a rating, a submission and an import cross on their way.

    python -m benchmarks.walks
    python -m benchmarks.walks OTHER_CHECKOUT

Each is a command of its own in a home that is made for it. Counted are the modules of the package
in which a function ran, and those that were imported, on the way of the command's own process: what
a worker does with a submission is not among them. A checkout of another version is walked with the
interpreter that runs this, which must have what that version needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUBMISSION = ROOT / "tests" / "submissions" / "softmax" / "right"
DOCUMENT = "Q: What does softmax return?\nA: Weights that sum to one.\n"

TRACED = """
import sys, threading
ran = set()
def seen(frame, event, _):
    name = frame.f_globals.get("__name__", "")
    if event == "call" and frame.f_code.co_name != "<module>" and name.startswith("studyattn"):
        ran.add(name)
threading.setprofile(seen)
sys.setprofile(seen)
import atexit
def told():
    sys.setprofile(None)
    names = {name for name in list(sys.modules) if name.partition(".")[0] == "studyattn"}
    print(len(ran), len(names), file=open(sys.argv[0], "w"))
sys.argv = sys.argv[1:]
from studyattn.cli import run
try:
    sys.exit(run(sys.argv[1:], lambda *_: None))
finally:
    told()
"""


def walked(checkout: Path, home: Path, *arguments: str) -> tuple[int, int]:
    """Return how many modules ran and how many were imported on the way of a command."""
    figures = home.parent / "figures.txt"
    done = subprocess.run(
        [sys.executable, "-c", TRACED, str(figures), *arguments],
        cwd=checkout,
        env={**os.environ, "STUDYATTN_HOME": str(home), "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not figures.exists():
        raise SystemExit(f"{' '.join(arguments)} could not be walked:\n{done.stderr}")
    ran, imported = map(int, figures.read_text("utf-8").split())
    figures.unlink()
    return ran, imported


def main() -> None:
    """Walk the three ways and print a line for each."""
    checkout = Path(sys.argv[1]).resolve() if sys.argv[1:] else ROOT
    with tempfile.TemporaryDirectory() as folder:
        home, document = Path(folder) / "home", Path(folder) / "softmax.md"
        document.write_text(DOCUMENT, "utf-8")
        walked(checkout, home, "due")  # makes the home
        ways = {
            "a rating": ("answer", "attention:softmax-axis", "good"),
            "a submission": ("drill", "grade", "softmax", str(min(SUBMISSION.glob("*.py")))),
            "an import": ("import", "--yes", str(document)),
        }
        print(f"{'':<14}{'modules that ran':>18}{'imported':>10}")
        for name, arguments in ways.items():
            ran, imported = walked(checkout, home, *arguments)
            print(f"{name:<14}{ran:>18}{imported:>10}")


if __name__ == "__main__":
    main()
