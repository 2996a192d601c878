"""Hostile submissions: each gets its verdict in time, and leaves nothing behind.

`tests/hostile` holds them, one a file; the first line says which verdicts are right.
"""

from __future__ import annotations

import os
import pwd
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.grading.call_plan import Finished, Outcome, Raised
from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.run.script import ScriptRunner
from studyattn.grading.sandbox import Level, namespaces
from studyattn.grading.submission import Backend, Submission
from tests.grading.tiny_judge import ENTRY, FORBIDDEN, question, verdict

HOSTILE = Path(__file__).parents[1] / "hostile"
LIMITS = ResourceLimits(seconds=1.0, memory=128 * MEBIBYTE, output=4 * MEBIBYTE)
RIGHT = HOSTILE / "threads_that_never_end.py"

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="looks for processes in /proc"
)


class Arena:
    """A runner whose processes carry a mark, so that the ones that it leaves can be found."""

    def __init__(self, runner: Runner, mark: str, scratch: Path) -> None:
        self.runner = runner
        self._mark = mark.encode()
        self._scratch = scratch

    def run(self, source: bytes) -> Outcome:
        submission = Submission("/drills/mine.py", source, Backend.TORCH, (ENTRY,), FORBIDDEN)
        return self.runner.run(submission, [question()])[0]

    def processes(self) -> set[int]:
        """Every process on the machine that has this arena's environment."""
        found = set()
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and self._mark in (entry / "environ").read_bytes():
                    found.add(int(entry.name))
            except OSError:
                continue
        return found

    def left_behind(self, before: set[int]) -> set[int]:
        """Processes that were not there `before`, after the kernel had a moment to clear up."""
        for _ in range(50):
            left = self.processes() - before
            if not left:
                return left
            time.sleep(0.02)
        return left

    def files(self) -> list[Path]:
        home = Path(pwd.getpwuid(os.getuid()).pw_dir)
        folders = (home, Path("/tmp"), Path("/"), Path.cwd())
        strays = [stray for folder in folders for stray in folder.glob("studyattn-hostile*")]
        return [*self._scratch.iterdir(), *strays]


def arena(folder: Path, *, without: tuple[Level, ...] = ()) -> Iterator[Arena]:
    mark = f"/{uuid.uuid4()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.environ["PATH"] + os.pathsep + mark)
        patch.setattr(tempfile, "tempdir", str(folder))
        with Runner(limits=LIMITS, without=without) as runner:
            runner.start()
            assert runner.isolation
            yield Arena(runner, mark, folder)


@pytest.fixture(scope="module")
def walled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """All the walls that this system gives."""
    yield from arena(tmp_path_factory.mktemp("walled"))


@pytest.fixture(scope="module")
def unfiltered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """No filter of system calls: namespaces must hold."""
    yield from arena(tmp_path_factory.mktemp("unfiltered"), without=(Level.SECCOMP,))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """Neither namespaces nor a filter nor Landlock: the subreaper must hold."""
    without = (Level.SECCOMP, Level.PID_NAMESPACE, Level.LANDLOCK)
    yield from arena(tmp_path_factory.mktemp("plain"), without=without)


def check(arena: Arena, source: bytes, verdicts: set[str]) -> None:
    """Its verdict is one of `verdicts`, in time; nothing is left; the next is graded as usual."""
    before = arena.processes()
    started = time.monotonic()
    outcome = arena.run(source)
    seconds = time.monotonic() - started
    assert verdict(outcome) in verdicts, outcome
    assert seconds < LIMITS.seconds + 1, outcome
    assert not arena.left_behind(before)
    assert not arena.files()
    assert len(outcome.printed) < 20_000
    assert verdict(arena.run(RIGHT.read_bytes())) == "passed"


def expected_of(source: bytes) -> set[str]:
    first = source.partition(b"\n")[0].decode()
    return {name.strip() for name in first.removeprefix("# verdict:").split("|")}


@pytest.mark.parametrize("path", sorted(HOSTILE.glob("*.py")), ids=lambda path: path.stem)
def test_each_gets_its_verdict_and_leaves_nothing(path: Path, walled: Arena) -> None:
    source = path.read_bytes()
    check(walled, source, expected_of(source))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"# nothing but a comment\n", id="only a comment"),
        pytest.param("def attention(q, k, v): # é".encode("latin-1"), id="not UTF-8"),
        pytest.param(b"\xff\xfe" + "import torch".encode("utf-16-le"), id="UTF-16"),
        pytest.param(b"x = 1\n" * (10 * MEBIBYTE // 6), id="10 MiB"),
        pytest.param(b"-" * 200_000 + b"1", id="a million minus signs"),
        pytest.param(b"(" * 5000, id="open brackets"),
        pytest.param(b"def attention(q, k, v:\n    return q", id="syntax error"),
        pytest.param(b"attention = 3", id="no function"),
        pytest.param(b"def attention(q, k): return q", id="too few parameters"),
        pytest.param(b"def attention(q, k, v, w): return q", id="too many parameters"),
        pytest.param(b"import no_such_module", id="unknown module"),
    ],
)
def test_what_cannot_be_loaded_is_invalid(source: bytes, walled: Arena) -> None:
    check(walled, source, {"invalid"})


@pytest.mark.skipif(namespaces.probe() == "none", reason="this system gives no namespaces")
@pytest.mark.parametrize(
    "name", ["daemon", "signal_everything", "kill_parent", "socket_out", "start_program"]
)
def test_namespaces_hold_without_the_filter(name: str, unfiltered: Arena) -> None:
    source = (HOSTILE / f"{name}.py").read_bytes()
    check(unfiltered, source, expected_of(source) | {"error", "crashed", "timeout"})


@pytest.mark.parametrize("name", ["daemon", "kill_parent", "start_program", "infinite_loop"])
def test_the_subreaper_ends_what_left_the_session(name: str, plain: Arena) -> None:
    source = (HOSTILE / f"{name}.py").read_bytes()
    check(plain, source, expected_of(source) | {"error", "crashed", "timeout"})


def test_a_forged_answer_cannot_be_right(walled: Arena) -> None:
    """The worst that a submission can do to the wire is to claim something: it knows no answer."""
    outcome = walled.run((HOSTILE / "forge_answer.py").read_bytes())
    assert not isinstance(outcome, Finished) or verdict(outcome) == "wrong"


def test_an_error_says_the_line_in_the_learners_file(walled: Arena) -> None:
    source = b"def attention(q, k, v):\n    x = q\n    return x @ k\n"
    outcome = walled.run(source)
    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.line) == ("RuntimeError", 3)


def test_output_of_a_script_is_kept_at_both_ends() -> None:
    with ScriptRunner() as scripts:
        printed = scripts.run("for line in range(10_000): print(line, 'a line like any other')")
    assert printed.stdout.startswith("0 a line")
    assert "omitted" in printed.stdout
    assert printed.stdout.rstrip().endswith("9999 a line like any other")
