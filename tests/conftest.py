"""Which database a test is about: `either` runs it on a file and on a server.

No property is tested against a clock: a machine may be busy.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import hypothesis
import pytest

from studyattn.address import ServerAddress
from tests.databases import RUN, Server, Unavailable, running_server

hypothesis.settings.register_profile("no clock", deadline=None)
hypothesis.settings.load_profile("no clock")


def pytest_configure(config: pytest.Config) -> None:
    """Name the run for the processes that carry it out; no test uses anyone's own database."""
    if not hasattr(config, "workerinput"):
        os.environ[RUN] = str(os.getpid())
    for name in ("STUDYATTN_DB", "STUDYATTN_LEARNER"):
        os.environ.pop(name, None)


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
