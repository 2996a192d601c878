"""What a submission may write: its scratch folder, up to a size, and nothing outside of it."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest

from studyattn.grading.call_plan import Call, CallPlan, Ended, Finished, Outcome, Raised
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.sandbox import Level, filesystem, plan, seccomp
from studyattn.grading.submission import Backend, Submission

SMALL = ResourceLimits(scratch_size=8 << 20, scratch_files=50)
MOUNTS = pytest.mark.skipif(not plan().mounts, reason="no mount namespace here")
FULL = "it wrote more than 8 MiB or 50 files to its temporary folder"
WRITES = {
    "bytes": """
        for name in range(1000):
            with open(str(name % 10), "wb") as file:
                file.write(bytes(2 << 20))
    """,
    "files": """
        for name in range(200_000):
            open(str(name), "w").close()
    """,
    "folders": """
        for name in range(200_000):
            os.makedirs(f"{name % 7}/{name}")
    """,
    "deleted": """
        opened = []
        for name in range(1000):
            opened.append(open("file", "wb"))
            os.unlink("file")
            opened[-1].write(bytes(2 << 20))
            opened[-1].flush()
            opened[:-20] = []
    """,
}


def outcome_of(body: str, folder: Path, without: Sequence[Level] = (), *, end: str = "") -> Outcome:
    """Run the statements `body` as a submission whose scratch folder is made in `folder`."""
    lines = textwrap.dedent(body) + end
    source = f"import os, time\ndef run():\n{textwrap.indent(lines, '    ')}\n"
    submission = Submission("/mine.py", source.encode(), Backend.NUMPY, ("run",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        with Runner(Backend.NUMPY, limits=SMALL, without=without) as runner:
            (outcome,) = runner.run(submission, [CallPlan((Call("run"),))])
    assert not list(folder.iterdir())
    return outcome


@MOUNTS
@pytest.mark.parametrize("kind", WRITES)
def test_a_sized_folder_takes_no_more(kind: str, tmp_path: Path) -> None:
    outcome = outcome_of(WRITES[kind], tmp_path)
    assert isinstance(outcome, Raised)
    assert "No space left on device" in outcome.message
    assert outcome.line is not None


@pytest.mark.parametrize("kind", WRITES)
def test_a_folder_on_the_disk_is_counted(kind: str, tmp_path: Path) -> None:
    outcome = outcome_of(WRITES[kind], tmp_path, (Level.MOUNTS,), end="time.sleep(5)")
    assert outcome == Ended("crashed", FULL)


@pytest.mark.parametrize("without", [(), (Level.MOUNTS,)])
def test_a_few_files_are_no_reason_to_end(without: Sequence[Level], tmp_path: Path) -> None:
    body = """
        import tempfile, numpy
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(folder + "/kept.npy", numpy.ones(9))
            os.rename(folder + "/kept.npy", "moved.npy")
            time.sleep(0.3)
        with tempfile.TemporaryFile() as file:
            file.write(bytes(1 << 20))
            file.truncate(9)
        return float(numpy.load("moved.npy").sum())
    """
    outcome = outcome_of(body, tmp_path, without)
    assert isinstance(outcome, Finished)
    assert outcome.registers == {"result": 9.0}


def test_a_folder_that_cannot_be_listed_is_removed(tmp_path: Path) -> None:
    """Not by root, who may list everything: another user runs this test."""
    without = (Level.MOUNTS, Level.SECCOMP)
    outcome_of('os.makedirs("a/b/c"); os.chmod("a/b", 0); os.chmod("a", 0o300)', tmp_path, without)


CHANGES = (
    "os.chmod(FILE, 0o777)", "os.chmod(FOLDER, 0o777)", "os.utime(FILE, (0, 0))",
    "os.utime(FOLDER)",
    "os.chown(FILE, os.getuid(), os.getgid())", "os.setxattr(FILE, 'user.mark', b'x')",
    "os.truncate(FILE, 0)", "open(FILE, 'a')", "os.unlink(FILE)", "os.link(FILE, FOLDER + '/new')",
    "os.symlink(FILE, FOLDER + '/new')", "os.rename(FILE, FOLDER + '/new')",
    "os.mkfifo(FOLDER + '/new')",
    "os.mkdir(FOLDER + '/new')", "os.rmdir(FOLDER + '/inner')", "os.rename(FILE, 'taken')",
)  # fmt: skip
"""Statements that each change something outside."""

HOLDS = [
    pytest.param((Level.PID_NAMESPACE,), id="filter and Landlock"),
    pytest.param((Level.LANDLOCK, Level.SECCOMP), id="mounts alone", marks=MOUNTS),
    pytest.param((Level.LANDLOCK,), id="filter and mounts", marks=MOUNTS),
]


@pytest.mark.skipif(
    not (plan().seccomp and filesystem.supported()), reason="needs a filter and Landlock"
)
@pytest.mark.parametrize("without", HOLDS)
def test_nothing_outside_changes(without: Sequence[Level], tmp_path: Path) -> None:
    folder, scratch = tmp_path / "outside", tmp_path / "scratch"
    for each in (folder, scratch, folder / "inner"):
        each.mkdir()
    file = folder / "file"
    file.write_text("untouched")
    before = [os.lstat(path) for path in (file, folder)], os.listxattr(file)
    body = f"""
        FILE, FOLDER = {str(file)!r}, {str(folder)!r}
        changed = []
        for statement in {CHANGES!r}:
            try:
                exec(statement)
                changed.append(statement)
            except OSError:
                pass
        return tuple(changed)
    """
    outcome = outcome_of(body, scratch, without)
    assert isinstance(outcome, Finished)
    assert outcome.registers == {"result": ()}
    after = [os.lstat(path) for path in (file, folder)], os.listxattr(file)
    assert [_changeable(each) for each in after[0]] == [_changeable(each) for each in before[0]]
    assert after[1] == before[1]
    assert file.read_text() == "untouched"


def _changeable(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mode, status.st_uid, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


@pytest.mark.skipif(seccomp.library() is None, reason="no libseccomp here")
def test_sockets_pair_for_a_stream_alone(tmp_path: Path) -> None:
    """A socket for datagrams, connected or not, could be sent from to any address."""
    body = """
        import socket
        here, there = socket.socketpair()
        here.send(b"x")
        assert there.recv(1) == b"x"
        tries = (
            lambda: socket.socketpair(type=socket.SOCK_DGRAM),
            lambda: here.sendto(b"x", "/dev/log"),
            lambda: here.sendmsg([b"x"]),
        )
        refused = 0
        for each in tries:
            try:
                each()
            except PermissionError:
                refused += 1
        return refused
    """
    outcome = outcome_of(body, tmp_path, (Level.PID_NAMESPACE,))
    assert isinstance(outcome, Finished)
    assert outcome.registers == {"result": 3}
