"""A runner from its start to its end: servers lost and replaced, threads, devices, being killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from studyattn.errors import GradingError, NotFoundError
from studyattn.grading.call_plan import (
    Ended,
    Finished,
    Outcome,
)
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.sandbox.filesystem import PACKAGE
from studyattn.grading.submission import Backend
from tests.grading.asking import LIMITS, call, finished, run


def test_a_worker_can_be_made_ahead() -> None:
    """As on a GPU, where making a device ready takes seconds."""
    with Runner(Backend.NUMPY, limits=LIMITS, ahead=True) as runner:
        source = "seen = []\ndef f():\n    seen.append(1)\n    return len(seen)"
        results = [finished(run(runner, source, call())[0]).registers["result"] for _ in range(3)]
        assert runner._spare is not None
    assert results == [1, 1, 1]


def test_a_lost_server_is_replaced() -> None:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        assert isinstance(run(runner, "def f(): return 1", call())[0], Finished)
        assert runner._server is not None
        os.kill(runner._server._process.pid, signal.SIGKILL)
        runner._server._process.wait()
        assert isinstance(run(runner, "def f(): return 1", call())[0], Finished)


def test_a_runner_works_from_a_thread() -> None:
    outcomes: list[Outcome] = []
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        thread = threading.Thread(
            target=lambda: outcomes.extend(run(runner, "def f(): return 1", call()))
        )
        thread.start()
        thread.join()
        outcomes.extend(run(runner, "def f(): return 1", call()))
    assert [finished(outcome).registers["result"] for outcome in outcomes] == [1, 1]


@pytest.mark.usefixtures("own_servers")
def test_closing_ends_the_server() -> None:
    runner = Runner(Backend.NUMPY, limits=LIMITS)
    assert runner.isolation
    assert runner._server is not None
    process = runner._server._process
    runner.close()
    assert process.returncode == 0


def test_there_is_no_such_device() -> None:
    for backend, device in ((Backend.NUMPY, "cuda"), (Backend.TORCH, "abacus")):
        with pytest.raises(NotFoundError, match="no device"):
            Runner(backend, device)


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="this machine has a GPU")
def test_without_a_gpu_cuda_is_not_found() -> None:
    with Runner(device="cuda", limits=LIMITS) as runner, pytest.raises(NotFoundError) as caught:
        run(runner, "def f(): return 1", call())
    assert "no CUDA device" in str(caught.value)
    assert caught.value.exit_status == 2


def test_the_choice_of_gpus_reaches_the_submission(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    source = (
        "import os\n"
        "names = ('CUDA_VISIBLE_DEVICES', 'CUDA_DEVICE_ORDER', 'SOME_TOKEN')\n"
        "def f(): print(*map(os.environ.get, names))"
    )
    with Runner(limits=LIMITS) as runner:
        assert run(runner, source, call())[0].printed == "1 PCI_BUS_ID None\n"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_the_choice_of_gpus_reaches_the_server_of_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    # Its workers are forks of it; making one fails where there is no GPU.
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    with Runner(device="cuda", limits=LIMITS) as runner:
        assert runner.isolation
        assert runner._server is not None
        environment = Path(f"/proc/{runner._server._process.pid}/environ").read_bytes()
    assert b"CUDA_VISIBLE_DEVICES=1" in environment.split(b"\0")


def test_a_server_that_cannot_start_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(GradingError, match="fork server"):
        run(Runner(Backend.NUMPY), "def f(): return 1", call())


def test_an_attempt_can_be_stopped_from_another_thread() -> None:
    with Runner(Backend.NUMPY, limits=ResourceLimits(seconds=60.0)) as runner:
        assert runner.isolation
        timer = threading.Timer(0.3, runner.stop)
        timer.start()
        outcome = run(runner, "def f():\n    while True: pass", call())[0]
        timer.join()
        assert isinstance(outcome, Ended)
        assert isinstance(run(runner, "def f(): return 1", call())[0], Finished)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks into /proc")
def test_nothing_outlives_a_runner_that_was_killed(tmp_path: Path) -> None:
    mark = f"/{uuid.uuid4()}"
    script = (
        "from studyattn.grading.run.runner import Runner\n"
        "from studyattn.grading.submission import Backend, Submission\n"
        "from studyattn.grading.call_plan import Call, CallPlan\n"
        "source = b'def f():\\n    print(1)\\n    while True: pass'\n"
        "runner = Runner(Backend.NUMPY)\n"
        "print(runner.isolation, flush=True)\n"
        "submission = Submission('f.py', source, Backend.NUMPY, ('f',))\n"
        "runner.run(submission, [CallPlan((Call('f'),))])\n"
    )
    environment = {**os.environ, "PATH": os.environ["PATH"] + ":" + mark, "TMPDIR": str(tmp_path)}
    judge = subprocess.Popen(
        [sys.executable, "-c", script],
        env=environment,
        cwd=PACKAGE.parent,
        stdout=subprocess.PIPE,
    )
    assert judge.stdout is not None
    judge.stdout.readline()
    assert wait_until(lambda: len(marked(mark)) >= 4)  # judge, server, supervisor, worker
    judge.kill()
    judge.wait()
    judge.stdout.close()
    assert wait_until(lambda: not marked(mark))


def marked(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


def wait_until(condition: Callable[[], bool]) -> bool:
    for _ in range(250):
        if condition():
            return True
        time.sleep(0.02)
    return False
