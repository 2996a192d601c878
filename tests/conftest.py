"""Which database a test is about: `either` runs it on a file and on a server.

No property is tested against a clock: a machine may be busy.
"""

from __future__ import annotations

import compileall
import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import hypothesis
import pytest

import studyattn
from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.packs import read
from studyattn.study.clock import FixedClock
from studyattn.study.profile import open_profile
from tests.databases import RUN, Server, Unavailable, running_server
from tests.kept_servers import KeptServers, OwnServer

FIRST_START = datetime(2026, 3, 2, 12, tzinfo=UTC)

hypothesis.settings.register_profile("no clock", deadline=None)
hypothesis.settings.load_profile("no clock")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--submissions",
        choices=("today", "all"),
        default="today",
        help="which of tests/submissions are graded: another share each day, or all",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the run for the processes that carry it out; no test uses anyone's own database.

    Compiled modules are kept, even where the environment says otherwise: a run starts hundreds of
    processes, and each would compile the program anew. Each multiplies matrices in one thread:
    threads of several processes on two cores mostly wait for each other, at full speed.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    gc.disable()  # most of what is imported stays
    _parse_each_file_once()
    if not hasattr(config, "workerinput"):
        os.environ[RUN] = str(os.getpid())
        # Workers may not write into the program's folder: what only they import is compiled here.
        compileall.compile_dir(Path(studyattn.__file__).parent, quiet=2)
    for name in ("STUDYATTN_DB", "STUDYATTN_LEARNER"):
        os.environ.pop(name, None)
    os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no-config")  # nobody's own file


def _parse_each_file_once() -> None:
    """Keep what was read of a pack's files, by path and text: frozen, and hundreds of tests ask.

    The built-in pack takes half a second to read, which no home of a user needs twice.
    """
    for name in ("read_concept", "read_brief", "read_bug"):
        setattr(read, name, lru_cache(maxsize=1024)(getattr(read, name)))


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Give a long value a short name: each process sends the names of all tests, one has 32 MiB."""
    if isinstance(val, (str, bytes)) and len(val) > LONGEST_NAME:
        return f"{argname} of {len(val)}"
    return None


LONGEST_NAME = 200


def pytest_collection_finish() -> None:
    """Keep what the tests have imported out of the collector's way, as the app does."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests were skipped, a line for each reason."""
    skipped = terminalreporter.stats.get("skipped", ())
    reasons = Counter(each.longrepr[2] for each in skipped if len(each.longrepr) == 3)
    for reason, number in reasons.items():
        terminalreporter.write_line(f"{number} × {reason}")


@pytest.fixture(autouse=True)
def idle_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the machine for an idle one, so that what runs for ever is ended as soon."""
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))


@pytest.fixture(autouse=True, scope="session")
def _kept_servers() -> Iterator[None]:
    """Have all runners share fork servers, one after another."""
    kept = KeptServers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studyattn.grading.run.runner._Server", kept.take)
        yield
    kept.end()


@pytest.fixture
def own_servers(_kept_servers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have runners start servers of their own, for tests that look at their ends."""
    monkeypatch.setattr("studyattn.grading.run.runner._Server", OwnServer)


@pytest.fixture(scope="session")
def server() -> Server:
    """A running PostgreSQL server; tests are skipped where there can be none."""
    try:
        return running_server()
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture
def address(server: Server) -> Iterator[ServerAddress]:
    """A learner's empty part of a database on the server."""
    with server.database() as name:
        yield server.address(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> ServerAddress | None:
    """None, for a database in the home; or the address of one on the server."""
    if request.param == "sqlite":
        return None
    found: ServerAddress = request.getfixturevalue("address")
    return found


@pytest.fixture(scope="session")
def _stocked_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = Home(tmp_path_factory.mktemp("stocked") / "home")
    with open_profile(home, FixedClock(FIRST_START)):
        return home.root


@pytest.fixture(scope="session")
def _stocked_database(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server.database() as name:
        home = Home(tmp_path_factory.mktemp("stocked") / "home", server.address(name))
        with open_profile(home, FixedClock(FIRST_START)):
            pass
        yield name


@pytest.fixture
def stocked_home(_stocked_file: Path, tmp_path: Path) -> Home:
    """`home` with the built-in pack and nothing learnt: a copy of one that was made once."""
    return Home(Path(shutil.copytree(_stocked_file, tmp_path / "home")))


@pytest.fixture(params=["sqlite", "postgresql"])
def stocked_either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Home]:
    """As `stocked_home`, then the same with its database on a server."""
    if request.param == "sqlite":
        yield request.getfixturevalue("stocked_home")
        return
    server: Server = request.getfixturevalue("server")
    made = f"TEMPLATE {request.getfixturevalue('_stocked_database')}"
    with server.database(made) as name:
        yield Home(tmp_path / "home", server.address(name))
