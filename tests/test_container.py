"""The steps of the container file, run on this machine as far as it has no containers."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
SYSTEMS = ("useradd ",)  # steps that change the system's users are not run here


def steps() -> list[tuple[str, str]]:
    """The instructions of the container file, each with what it is given."""
    text = (REPOSITORY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(name, given) for name, _, given in (line.partition(" ") for line in lines)]


def test_the_container_files_steps_install_a_program_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, environment = tmp_path / "source", tmp_path / "environment"
    venv.create(environment, with_pip=False)
    # What the program needs is found where the tests run: nothing is fetched.
    packages = next(environment.glob("lib/python*/site-packages"))
    (packages / "here.pth").write_text(sysconfig.get_path("purelib"))
    pip = environment / "bin" / "pip"  # to install one for the environment takes seconds
    pip.write_text(f'#!/bin/sh\nexec "{environment}/bin/python" -m pip "$@"\n')
    pip.chmod(0o755)
    monkeypatch.setenv("PATH", str(environment / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip's way to say no to it
    monkeypatch.delenv("PYTHONPATH", raising=False)
    entry = ""
    for name, given in steps():
        match name:
            case "COPY":
                assert given == ". /source"
                listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=REPOSITORY)
                kept = [each for each in listed.decode().split("\0") if not _ignored(each)]
                for each in kept:
                    target = source / each
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes((REPOSITORY / each).read_bytes())
            case "RUN" if not given.startswith(SYSTEMS):
                here = given.replace("/source", str(source))
                subprocess.run(["sh", "-ec", here], check=True, cwd=tmp_path)
            case "ENTRYPOINT":
                entry = given.strip('[]"')
            case _:
                assert name in {"ARG", "ENV", "FROM", "RUN", "USER", "VOLUME", "WORKDIR"}
    program = environment / "bin" / entry
    asked = [str(program), "--home", str(tmp_path / "home"), "due", "--count"]
    assert int(subprocess.check_output(asked, cwd=tmp_path)) > 0
    told = "import studyattn; print(studyattn.__file__)"
    place = subprocess.check_output([environment / "bin" / "python", "-c", told], cwd=tmp_path)
    assert Path(place.decode().strip()).is_relative_to(environment)


def _ignored(path: str) -> bool:
    """Whether the container's build does not see a file."""
    ignored = (REPOSITORY / ".containerignore").read_text("utf-8").split()
    return not path or any(path.startswith(f"{each}/") for each in ignored)
