"""Examples on cards: what they may import, what they print, how they end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.script import How, ScriptRunner

LIMITS = ResourceLimits(seconds=2.0, memory=256 * MEBIBYTE)


@pytest.fixture(scope="module")
def runner() -> Iterator[ScriptRunner]:
    with ScriptRunner(LIMITS) as runner:
        yield runner


def test_a_script_may_use_numpy_and_the_reference(runner: ScriptRunner) -> None:
    source = (
        "import numpy as np\n"
        "from studyattn.attention import attention\n"
        "q = np.ones((1, 2)); k = np.ones((3, 2)); v = np.arange(6.0).reshape(3, 2)\n"
        "print(attention(q, k, v))\n"
    )
    result = runner.run(source)
    assert (result.how, result.stdout.strip(), result.error) == (How.FINISHED, "[[2. 3.]]", "")


def test_a_script_may_use_torch(runner: ScriptRunner) -> None:
    result = runner.run("import torch\nprint(torch.ones(2, 3).sum().item())\n")
    assert (result.how, result.stdout.strip()) == (How.FINISHED, "6.0")


def test_a_script_without_torch_does_not_load_it(runner: ScriptRunner) -> None:
    result = runner.run("import sys, numpy\nprint('torch' in sys.modules)\n")
    assert result.stdout.strip() == "False"


def test_what_was_printed_before_an_error_is_kept(runner: ScriptRunner) -> None:
    result = runner.run("print('so far')\nx = [1]\nprint(x[3])\n")
    assert (result.how, result.line) == (How.ERROR, 3)
    assert result.stdout == "so far\n"
    assert result.error == "IndexError: list index out of range"


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("import sys\nsys.exit()", How.FINISHED),
        ("import sys\nsys.exit(3)", How.ERROR),
        ("x = = 1", How.INVALID),
        ("while True: pass", How.TIMEOUT),
        ("x = [0] * (1 << 40)", How.MEMORY),
        ("import os\nos._exit(0)", How.CRASHED),
        ("open('/etc/passwd')", How.ERROR),
    ],
)
def test_how_it_ended(source: str, how: How, runner: ScriptRunner) -> None:
    assert runner.run(source).how is how


def test_a_script_is_stopped_from_another_thread() -> None:
    with ScriptRunner() as runner:
        assert runner.run("print(1)").stdout == "1\n"
        timer = threading.Timer(0.3, runner.stop)
        timer.start()
        result = runner.run("print('so far', flush=True)\nwhile True: pass\n")
        timer.join()
        assert result.how is not How.TIMEOUT
        assert runner.run("print(1)").error == "it was stopped"
