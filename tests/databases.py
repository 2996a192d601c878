"""A PostgreSQL server for the tests: one for the whole run, in a folder of its own, gone after it.

The first test that wants it starts it, whichever process that is in; a watcher ends it when the run
has ended, however it ended. A database for a test is a copy of one that was migrated once.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

from sqlalchemy import Connection, Engine, NullPool, create_engine, event

from studyattn.address import ServerAddress, read_address
from studyattn.home import Home
from studyattn.store.database import open_database
from studyattn.store.engine import open_driver
from studyattn.store.sql import driver_of

RUN = "STUDYATTN_TEST_RUN"  # the environment says to all processes of a run which run it is
LEARNER = "learner"
_USER = "study"
_TEMPLATE = "migrated"
_PORT = "5432"  # of a socket in our own folder: it meets no other server
ROOM = 1 << 30
CHOOSES_A_COPY = 15  # the first version that asks how
_WATCH = """
(
    while kill -0 "$1"; do sleep 1; done
    kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"
    sleep 1
    rm -rf "$2"
) <&- >&- 2>&- &
"""


class Unavailable(Exception):  # noqa: N818 - the reason why tests are skipped
    """There can be no server here."""


@dataclass(frozen=True)
class Server:
    """A server that is running."""

    folder: Path

    def address(self, database: str, learner: str = LEARNER) -> ServerAddress:
        """The address of a learner's part of a database."""
        query = f"host={self.folder}&port={_PORT}&learner={learner}"
        return read_address(f"postgresql+psycopg://{_USER}@/{database}?{query}")

    @contextmanager
    def database(self, made: str = f"TEMPLATE {_TEMPLATE}") -> Iterator[str]:
        """A database of its own: its name. It holds an empty LEARNER unless `made` otherwise."""
        name = f"t{uuid4().hex}"
        self.execute(f"CREATE DATABASE {name} {made} {self._copied()}")
        try:
            yield name
        finally:
            self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _copied(self) -> str:
        """Copy files, as versions before 15 always do: half the work of copying through a log."""
        version = (self.folder / "data" / "PG_VERSION").read_text("ascii")
        return "STRATEGY FILE_COPY" if int(version) >= CHOOSES_A_COPY else ""

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Carry out one statement as the server's owner."""
        import psycopg

        with psycopg.connect(
            host=str(self.folder), port=_PORT, user=_USER, dbname=database, autocommit=True
        ) as connection:
            connection.execute(statement.encode())


def engine_of(home: Home) -> Engine:
    """SQLAlchemy's engine on a database as it is, for Alembic; its transactions write."""
    name = "sqlite" if home.server is None else "postgresql+psycopg"
    engine = create_engine(
        f"{name}://", creator=lambda: open_driver(home).beneath, poolclass=NullPool
    )

    def begin(connection: Connection) -> None:
        driver_of(connection).do("BEGIN IMMEDIATE" if home.server is None else "BEGIN")

    event.listen(engine, "begin", begin)
    return engine


def environment_of(home: Home) -> dict[str, str]:
    """What says to another process where the database of this home is."""
    if home.server is None:
        return {}
    return {"STUDYATTN_DB": home.server.url, "STUDYATTN_LEARNER": home.server.learner}


@cache
def running_server() -> Server:
    """The run's server, started if it is not there yet. Raises Unavailable, with the reason."""
    if find_spec("psycopg") is None:
        raise Unavailable("the package psycopg is not installed")
    programs = _programs()
    run = os.environ.get(RUN, str(os.getpid()))
    folder = _place() / f"studyattn-test-{run}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = Server(folder)
        if not (folder / "ready").exists():
            _start(programs, folder, run)
            _make_template(server)
            (folder / "ready").touch()
    return server


def _place() -> Path:
    """Where the server's folder is: in memory where there is room.

    A database has 900 files, and hundreds of tests have one of their own: on a disk, most of a
    test's time is that of making them.
    """
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        return memory
    return Path(tempfile.gettempdir())


def _programs() -> Path:
    """The folder with `initdb` and `pg_ctl`."""
    found = shutil.which("initdb")
    if found is not None and shutil.which("pg_ctl") is not None:
        return Path(found).parent
    others = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not others:
        raise Unavailable("PostgreSQL is not installed: there is no initdb")
    return others[-1].parent


def _owner() -> pwd.struct_passwd:
    """Who runs the server: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Unavailable("PostgreSQL refuses to run as root, and there is no other user")


def _start(programs: Path, folder: Path, run: str) -> None:
    owner = _owner()
    if os.geteuid() == 0:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    watch = ["sh", "-c", _WATCH, "watch", run, str(folder)]
    subprocess.run(watch, check=True, start_new_session=True)
    data = str(folder / "data")
    locale = "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
    make = ("-U", _USER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale", locale)
    _as(owner, folder, programs / "initdb", "-D", data, *make)
    # A database lives for one test: nothing is kept safe, tidied up or compiled.
    quick = "-c fsync=off -c autovacuum=off -c jit=off"
    settings = f"-k {folder} -p {_PORT} -c listen_addresses= {quick} -c max_connections=50"
    start = ("-w", "-o", settings, "-l", str(folder / "log"), "start")
    _as(owner, folder, programs / "pg_ctl", "-D", data, *start)


def _as(owner: pwd.struct_passwd, folder: Path, *command: str | Path) -> None:
    is_root = os.geteuid() == 0
    ended = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=60,
        user=owner.pw_uid if is_root else None,
        group=owner.pw_gid if is_root else None,
        extra_groups=() if is_root else None,
    )
    if ended.returncode != 0:
        said = ended.stdout.decode(errors="replace").strip().splitlines()
        raise Unavailable(f"PostgreSQL cannot be started here: {' '.join(said[-2:])}")


def _make_template(server: Server) -> None:
    server.execute(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
    home = Home(server.folder / "home", server.address(_TEMPLATE))
    open_database(home, now=datetime(2026, 1, 1, tzinfo=UTC)).close()
