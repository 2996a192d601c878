"""What walls there are, and what they let through."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from studyattn.grading.limits import ResourceLimits
from studyattn.grading.sandbox import Level, filesystem, levels, plan, rlimits, seccomp, tree
from studyattn.grading.sandbox.namespaces import Namespaces

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="walls of Linux")


def in_child(code: str) -> str:
    """What `code` prints in a process of its own: a wall stands for good."""
    setup = (
        "import os, sys\n"
        "from studyattn.grading.limits import ResourceLimits\n"
        "from studyattn.grading.sandbox import filesystem, rlimits, seccomp, tree, linux\n"
    )
    command = [sys.executable, "-c", setup + textwrap.dedent(code)]
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=filesystem.PACKAGE.parent,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_every_level_is_told_once_and_in_words() -> None:
    told = levels()
    assert [state.level for state in told] == list(Level)
    assert all(state.detail for state in told)
    standing = {state.level.value for state in told if state.available}
    assert standing == set(plan().isolation)


@linux_only
def test_without_libseccomp_there_is_no_filter_and_it_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seccomp, "LIBRARY", "libseccomp.so.none")
    assert Level.SECCOMP.value not in plan().isolation
    told = {state.level: state for state in levels()}[Level.SECCOMP]
    assert not told.available
    assert "install libseccomp" in told.detail


def test_a_plan_without_a_wall_does_not_claim_it() -> None:
    full = plan()
    for level in Level:
        if level in {Level.PROCESS, Level.RLIMITS, Level.NETWORK}:
            continue
        assert level.value not in full.without([level]).isolation
    without = full.without([Level.PID_NAMESPACE])
    assert without.namespaces is Namespaces.NONE


def test_neither_namespace_nor_filter_means_a_network() -> None:
    left = plan().without([Level.PID_NAMESPACE, Level.SECCOMP])
    assert Level.NETWORK.value not in left.isolation


def test_the_package_is_readable_for_examples_alone() -> None:
    package = str(filesystem.PACKAGE)
    inside = package + os.sep

    def covers(paths: tuple[str, ...]) -> bool:
        return any(inside.startswith(path.rstrip("/") + "/") for path in paths)

    assert not covers(filesystem.readable(package=False, cuda=False))
    assert covers(filesystem.readable(package=True, cuda=False))


def test_a_folder_is_granted_around_what_is_left_out(tmp_path: Path) -> None:
    """As when the package lies in site-packages, among what must be readable."""
    for name in ("numpy", "studyattn/attention", "torch"):
        (tmp_path / "site" / name).mkdir(parents=True)
    (tmp_path / "lib").mkdir()
    kept = set(filesystem._without(tmp_path, tmp_path / "site" / "studyattn"))
    assert kept == {tmp_path / "lib", tmp_path / "site" / "numpy", tmp_path / "site" / "torch"}


def test_a_package_among_what_is_readable_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(np.__file__).resolve().parent
    monkeypatch.setattr(filesystem, "PACKAGE", package)
    paths = [Path(path) for path in filesystem.readable(package=False, cuda=False)]
    assert not {package, *package.parents} & set(paths)
    assert any(path.parent == package.parent for path in paths)


def test_a_folder_on_the_path_is_not_readable_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert str(tmp_path) not in filesystem.readable(package=False, cuda=False)


def test_the_home_and_the_root_are_never_readable() -> None:
    paths = filesystem.readable(package=True, cuda=False)
    assert not {"/", str(Path.home()), "/home", "/tmp", "/etc"} & set(paths)


@linux_only
@pytest.mark.skipif(not filesystem.supported(), reason="no Landlock here")
def test_landlock_leaves_the_scratch_folder(tmp_path: Path) -> None:
    scratch, other = tmp_path / "scratch", tmp_path / "other"
    scratch.mkdir()
    other.write_text("secret")
    printed = in_child(f"""
        filesystem.restrict({str(scratch)!r}, ["/usr/lib"], [])
        open({str(scratch / "new")!r}, "w").write("kept")
        for path, mode in (({str(other)!r}, "r"), ({str(other)!r}, "a"), ("/etc/passwd", "r")):
            try:
                open(path, mode)
                print("open")
            except PermissionError:
                print("refused")
        try:
            os.remove({str(other)!r})
        except PermissionError:
            print("refused")
    """)
    assert printed.split() == ["refused"] * 4
    assert (scratch / "new").read_text() == "kept"


@linux_only
@pytest.mark.skipif(not seccomp.library(), reason="no libseccomp here")
def test_the_filter_refuses_processes_and_sockets_and_allows_threads() -> None:
    printed = in_child("""
        import socket, subprocess, threading, signal
        seccomp.restrict(seccomp.written())
        def refused(call):
            try:
                call()
            except PermissionError:
                return "refused"
            return "allowed"
        print(refused(os.fork), refused(lambda: subprocess.run(["true"])), refused(socket.socket))
        print(refused(lambda: os.kill(os.getppid(), 0)))
        print(refused(lambda: os.execv("/bin/true", ["x"])))
        thread = threading.Thread(target=print, args=("thread",))
        thread.start()
        thread.join()
    """)
    assert printed.split() == ["refused"] * 5 + ["thread"]


@linux_only
@pytest.mark.skipif(platform.machine() != "x86_64", reason="aarch64 has no such call")
def test_the_filter_refuses_the_bare_call_too() -> None:
    printed = in_child("""
        import ctypes
        seccomp.restrict(seccomp.written())
        fork, vfork = 57, 58
        print(*(ctypes.CDLL(None).syscall(number) for number in (fork, vfork)))
    """)
    assert printed == "-1 -1"


@linux_only
def test_address_space_is_counted_from_what_is_used() -> None:
    printed = in_child("""
        rlimits.restrict(ResourceLimits(memory=64 << 20), own_count=False, address_space=True)
        block = bytearray(32 << 20)
        del block
        try:
            block = bytearray(80 << 20)
        except MemoryError:
            print("full")
        rlimits.release_reserve()
        block = bytearray(80 << 20)
        print("reserve")
    """)
    assert printed.split() == ["full", "reserve"]


@linux_only
def test_the_tree_ends_with_a_grandchild_that_left_the_session() -> None:
    printed = in_child("""
        import time
        tree.become_subreaper()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                os.write(writing, b"x")
                time.sleep(3600)
            os._exit(0)
        os.read(reading, 1)
        print(len(tree.descendants(os.getpid())) >= 1)
        tree.end(child, reaped=False)
        print(tree.descendants(os.getpid()))
    """)
    assert printed.split() == ["True", "()"]


def test_limits_are_for_whole_seconds_of_cpu() -> None:
    assert ResourceLimits(seconds=0.5).cpu_seconds == 2


def test_a_limit_never_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    calls = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, 20))
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: calls.append(pair))
    rlimits._lower(resource.RLIMIT_NOFILE, 64, 64)
    assert calls == [(20, 20)]


@linux_only
def test_descendants_of_a_process_that_is_gone_are_none() -> None:
    assert tree.descendants(1 << 30) == ()
