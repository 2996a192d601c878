"""A home for commands, made once; each test works on a copy."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from studyattn.cli import run


@dataclass(frozen=True)
class Result:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Result]


def process(
    *arguments: str,
    home: Path | None = None,
    given: str = "",
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    where = [] if home is None else ["--home", str(home)]
    return subprocess.run(
        [sys.executable, "-m", "studyattn", *where, *arguments],
        input=given,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def one_line(text: str) -> bool:
    """Whether this is one line of error, as a user is told of it, and no fault of the program."""
    spoilt = "Traceback" in text or "a bug" in text
    return text.startswith("studyattn: ") and text.count("\n") == 1 and not spoilt


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the built-in pack and nothing learnt."""
    home = tmp_path_factory.mktemp("fresh") / "home"
    assert run(["--home", str(home), "items", "--json"]) == 0
    return home


@pytest.fixture
def home(fresh_home: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fresh_home, tmp_path / "home"))


@pytest.fixture
def command(home: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Carries out one command line in this process, on a copy of the fresh home."""
    capsys.readouterr()

    def carry_out(*arguments: str) -> Result:
        status = run(["--home", str(home), *arguments])
        said = capsys.readouterr()
        return Result(status, said.out, said.err)

    return carry_out
