"""An installed wheel works with no repository around it: content and migrations travel along."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from studyattn import __version__

REPOSITORY = Path(__file__).resolve().parent.parent


def run(*command: str | Path, cwd: Path, home: Path) -> str:
    """Standard output of a command that must succeed, in an environment that names no checkout."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**environment, "STUDYATTN_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a fresh environment that holds the wheel and nothing of the checkout.

    The dependencies are borrowed from the running environment through a path file: path files in
    the borrowed folder are not read, so its editable install of studyattn stays out of sight.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    run(*build, REPOSITORY, cwd=REPOSITORY, home=folder)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    site = next((folder / "env").glob("lib/python*/site-packages"))
    pip = (sys.executable, "-m", "pip", "--python", folder / "env")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder, home=folder)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "env" / "bin"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that the first command makes."""
    return tmp_path_factory.mktemp("wheel") / "home"


def test_the_program_runs_from_another_folder(installed: Path, tmp_path: Path, home: Path) -> None:
    where = "import studyattn; print(studyattn.__file__)"
    package = run(installed / "python", "-c", where, cwd=tmp_path, home=home)
    assert str(REPOSITORY) not in package

    program = installed / "studyattn"
    version = run(program, "--version", cwd=tmp_path, home=home)
    assert re.fullmatch(rf"studyattn {re.escape(__version__)}( \([0-9a-f]{{7}}\))?\n", version)
    items = json.loads(run(program, "items", "--json", cwd=tmp_path, home=home))
    assert {item["kind"] for item in items} >= {"card"}
    assert (home / "studyattn.db").exists()


def test_the_wheel_brings_its_manual_pages(installed: Path) -> None:
    pages = {file.name for file in (installed.parent / "share" / "man" / "man1").iterdir()}
    assert pages >= {"studyattn.1", "studyattn-due.1"}
    if shutil.which("man") is not None:
        path = f"{installed}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": str(installed)}
        asked = ("man", "-w", "studyattn-due")
        found = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
        assert "/share/man/man1/studyattn-due.1" in found.stdout


def test_the_wheel_says_which_commit_it_is_made_from(installed: Path, tmp_path: Path) -> None:
    if not (REPOSITORY / ".git").exists():
        pytest.skip("this is no checkout")
    head = run("git", "-C", REPOSITORY, "rev-parse", "HEAD", cwd=tmp_path, home=tmp_path)
    version = run(installed / "studyattn", "--version", cwd=tmp_path, home=tmp_path)
    assert version == f"studyattn {__version__} ({head[:7]})\n"


def test_the_wheel_knows_its_drills_and_takes_in_a_new_pack(
    installed: Path, tmp_path: Path, home: Path
) -> None:
    program = installed / "studyattn"
    run(program, "pack", "new", "mine", cwd=tmp_path, home=home)
    assert "Added Mine" in run(program, "pack", "add", "mine", cwd=tmp_path, home=home)
    drills = json.loads(run(program, "drill", "list", "--json", cwd=tmp_path, home=home))
    assert {drill["id"] for drill in drills} >= {"attention", "mean"}
