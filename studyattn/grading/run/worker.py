"""The process in which a submission runs: behind the walls, it loads the source and answers.

The last code of this program before foreign code runs. From then on nothing that this process says
is trusted: it holds no expected value, and its answers are read by the judge as a stranger's. What
it does keep from a submission is kept for honest mistakes: functions are looked up beforehand, so
that a patched library changes nothing here.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TextIO

import numpy as np

from studyattn.grading.arrays.array_library import ArrayLibrary, NoDeviceError
from studyattn.grading.call_plan import ArrayInput, Call, CallPlan, Finished, Invalid, Raised
from studyattn.grading.limits import FAILED_TO_START, ResourceLimits
from studyattn.grading.run import codec, execute, submission_loader, wire
from studyattn.grading.run.wire import Frame
from studyattn.grading.sandbox import Plan, enclose, rlimits, tree


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """The resources of an attempt: its limits, its scratch folder and its descriptors.

    `mark` goes to `output` before each answer, so that what is printed can be told apart.
    `forbidden` is what the submission to come may not use.
    """

    limits: ResourceLimits
    scratch: str
    mark: bytes
    forbidden: tuple[str, ...]
    wire: int
    output: int
    status: int


def work(plan: Plan, spec: WorkerSpec, library: ArrayLibrary) -> NoReturn:
    """Be the worker of `spec`: enclose this process, then serve the wire to its end."""
    try:
        _settle(spec)
        tree.die_with_parent()
        enclose(plan, spec.limits, spec.scratch)
        library.warm_up()
        _rehearse(library, spec.forbidden)
        wire.send(spec.wire, Frame(codec.Ready()))
    except NoDeviceError as error:
        _give_up(spec, codec.Unfit(str(error), no_device=True))
    except Exception as error:  # noqa: BLE001  # whatever it was, no submission runs outside the walls
        _give_up(spec, codec.Unfit(f"{type(error).__name__}: {error}", no_device=False))
    try:
        serve(spec, library, (sys.stdout, sys.stderr))
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        os._exit(0)


def _rehearse(library: ArrayLibrary, forbidden: tuple[str, ...]) -> None:
    """Compile and call a function as a submission's is, while nobody waits for the worker.

    Whatever is used first copies pages that are shared with the server, or imports something.
    """
    path = "rehearsal.py"
    code = submission_loader.compiled(b"def product(a, b):\n    return a @ b\n", path)
    if isinstance(code, Invalid):
        raise TypeError(code.message)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102  # the two lines above
    loaded = submission_loader.Loaded(
        submission_loader.Files(path),
        {"product": names["product"]},
        forbidden,
        submission_loader.ImportGuard(()),
    )
    numbers = ArrayInput(np.eye(2), "float32")
    program = codec.encode_program(CallPlan((Call("product", (numbers, numbers)),)))
    outcome = execute.run(codec.decode_program(program), loaded, library)
    wire.pack(codec.encode_outcome(outcome))


def _give_up(spec: WorkerSpec, why: codec.Unfit) -> NoReturn:
    with contextlib.suppress(OSError):
        wire.send(spec.wire, Frame(why))
    os._exit(FAILED_TO_START)


def _settle(spec: WorkerSpec) -> None:
    """Leave the session, keep no descriptor but the wire and the output, live in the scratch."""
    os.setsid()
    silence = os.open(os.devnull, os.O_RDONLY)
    os.dup2(silence, 0)
    os.dup2(spec.output, 1)
    os.dup2(spec.output, 2)
    os.closerange(3, spec.wire)
    os.closerange(spec.wire + 1, os.sysconf("SC_OPEN_MAX"))
    os.chdir(spec.scratch)
    os.environ.update(HOME=spec.scratch, TMPDIR=spec.scratch)
    tempfile.tempdir = spec.scratch
    # New objects: those inherited believe that they write to a file, which can be sought in.
    sys.stdout, sys.stderr = _printer(1), _printer(2)


def _printer(descriptor: int) -> TextIO:
    return open(descriptor, "w", 1, "utf-8", "backslashreplace", closefd=False)


def _flush(streams: Iterable[TextIO]) -> None:
    for stream in streams:
        with contextlib.suppress(OSError, ValueError):  # it may have been closed
            stream.flush()


def serve(spec: WorkerSpec, library: ArrayLibrary, printing: Sequence[TextIO]) -> None:
    """Answer frames until the judge closes the wire; what goes to `printing` goes out before.

    The next frames lie on the wire meanwhile. They hold inputs, never an expected value.
    """
    # Several frames are read at a time.
    frames = open(spec.wire, "rb", closefd=False)  # noqa: SIM115  # open as long as the process lives
    answer: Finished | Raised | Invalid | None
    loaded: submission_loader.Loaded | Raised | Invalid | None = None
    while True:
        frame = wire.receive(frames)
        if frame is None:
            return
        try:
            if frame.header["kind"] == "load":
                rlimits.restrict_cpu(spec.limits)
                loaded = submission_loader.load(
                    submission_loader.Order.from_json(frame.header), library
                )
                answer = None if isinstance(loaded, submission_loader.Loaded) else loaded
            elif frame.header["kind"] == "script":
                rlimits.restrict_cpu(spec.limits)
                source, path = frame.header["source"], frame.header["path"]
                answer = submission_loader.run_script(source, path, library)
            elif isinstance(loaded, submission_loader.Loaded):
                answer = execute.run(codec.decode_program(frame), loaded, library)
            elif loaded is not None:
                answer = loaded  # what could not be loaded answers every program so
            else:
                return
            reply = Frame(codec.Loaded()) if answer is None else codec.encode_outcome(answer)
            # What was printed goes out first, to be told of the program that printed it; what
            # was printed while it was loaded belongs to the first one.
            _flush(printing)
            if answer is not None:
                with contextlib.suppress(OSError):
                    os.write(1, spec.mark)
            wire.send(spec.wire, reply)
        except MemoryError:
            rlimits.release_reserve()
            wire.send(spec.wire, Frame(codec.OutOfMemory()))
            return
