"""One attempt as the judge's process sees it: a conversation with a worker that may do anything.

All waiting happens in one place, with one deadline, over three descriptors that the worker cannot
block for long: the wire, what it prints, and the status of its supervisor. However the attempt
goes, `close` leaves no process and no scratch folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import shutil
import socket
import tempfile
import time
from collections import deque
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from studyattn.grading.call_plan import Ended
from studyattn.grading.limits import FAILED_TO_START, MEBIBYTE, Ending, ResourceLimits
from studyattn.grading.run import codec, wire
from studyattn.grading.run.wire import Frame, MalformedError

GRACE = 5.0  # seconds for a supervisor to end its worker; after that it is taken to be lost
CHUNK = 1 << 16
KEPT = 8 * 1024  # bytes of output kept from each end
BUSY = 1.0  # runnable processes a core: with more of them a worker shares its core

ENDLESS = "it is too slow, or never returns"

SIGNALS = {
    4: "an illegal instruction", 6: "abort", 7: "a bus error", 8: "a floating point exception",
    9: "the system, which is often out of memory then", 11: "a segmentation fault",
    24: "the limit of CPU time", 25: "the limit of file size", 31: "a forbidden system call",
}  # fmt: skip


class ServerLostError(Exception):
    """The fork server is gone."""


class WorkerEndedError(Exception):
    """The conversation is over; `ended` says why."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.detail)
        self.ended = ended


class Output:
    """The printed output: its first and last part, and the part that belongs to each answer.

    The worker writes `mark` between the parts, since it goes on printing while answers are read.
    """

    def __init__(self, mark: bytes) -> None:
        self.total = 0
        self._mark = mark
        self._head = bytearray()
        self._tail = bytearray()
        self._plain = 0  # bytes that are no mark
        self._parts = deque([bytearray()])  # the last one is still being printed
        self._held = b""  # what may be the beginning of a mark

    def add(self, printed: bytes) -> None:
        self.total += len(printed)
        *finished, last = (self._held + printed).split(self._mark)
        for part in finished:
            self._keep(part)
            self._parts.append(bytearray())
        begun = range(min(len(self._mark) - 1, len(last)), 0, -1)
        held = next((size for size in begun if last.endswith(self._mark[:size])), 0)
        self._held = last[len(last) - held :]
        self._keep(last[: len(last) - held])

    def take(self) -> str:
        """Return what was printed for the next answer, of much the beginning."""
        if len(self._parts) > 1:
            return _text(self._parts.popleft())
        self._keep(self._held)  # no mark followed: the worker ended
        self._held = b""
        part = bytes(self._parts[0])
        self._parts[0].clear()
        return _text(part)

    @property
    def text(self) -> str:
        """All of it, or both ends around a line that says how much is missing."""
        missing = self._plain - len(self._head) - len(self._tail)
        cut = f"\n… {missing} bytes omitted …\n".encode() if missing else b""
        return _text(self._head + cut + self._tail + self._held)

    def _keep(self, plain: bytes) -> None:
        self._plain += len(plain)
        self._parts[-1] += plain[: KEPT - len(self._parts[-1])]
        room = KEPT - len(self._head)
        self._head += plain[:room]
        self._tail = (self._tail + plain[room:])[-KEPT:] if len(plain) > room else self._tail


def _text(printed: bytes | bytearray) -> str:
    return str(wire.harmless(printed.decode("utf-8", "replace")))


class Conversation:
    """A worker, from its making to its end. Use it as a context manager."""

    def __init__(
        self, control: socket.socket, limits: ResourceLimits, forbidden: tuple[str, ...] = ()
    ) -> None:
        """Ask the fork server at `control` for a worker. ServerLostError when it is gone.

        `forbidden` is what its submission may not use: the worker prepares itself for that.
        """
        self.limits = limits
        self.forbidden = forbidden
        self._scratch = tempfile.mkdtemp(prefix="studyattn-")
        self._wire, wire_end = socket.socketpair()
        self._status, status_end = socket.socketpair()
        self._printed, output_end = os.pipe()
        mark = secrets.token_bytes(16)
        self.output = Output(mark)
        self._outgoing: deque[memoryview] = deque()
        self._incoming = bytearray()
        self._seconds = self._deadline = float("inf")
        self._when_busy: float | None = None
        self._ending: Ending | None = None
        self._closed = False
        given = (wire_end.fileno(), output_end, status_end.fileno())
        asked = {
            "limits": asdict(limits),
            "scratch": self._scratch,
            "mark": mark.hex(),
            "forbidden": forbidden,
        }
        request = json.dumps(asked).encode()
        try:
            socket.send_fds(control, [request + b"\n"], given)
        except OSError as error:
            self._release()
            raise ServerLostError from error
        finally:
            wire_end.close()
            status_end.close()
            os.close(output_end)
        self._wire.setblocking(False)
        os.set_blocking(self._printed, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def start_clock(self, seconds: float, when_busy: float | None = None) -> None:
        """Have `receive` give up after this many seconds in all, from now on.

        If the machine is busy at that moment, it goes on waiting until `when_busy` seconds: a right
        submission that was not given a core must not be refused for it.
        """
        self._seconds, self._when_busy = seconds, when_busy
        self._deadline = time.monotonic() + seconds

    def send(self, frame: Frame) -> None:
        """Send `frame` without waiting for its answer. Answers come in the order of the frames."""
        self._outgoing.append(memoryview(wire.pack(frame)))
        self._write()

    def receive(self) -> Frame:
        """Wait for the next answer. WorkerEndedError when none will come."""
        while True:
            answer = self._complete()
            if answer is not None:
                return answer
            ready = self._wait(writing=bool(self._outgoing))
            self._write()
            if self._printed in ready:
                self._drain()
            if self._wire.fileno() in ready:
                self._incoming += self._received()

    def printed(self) -> str:
        """Return what was printed for the answer just received. WorkerEndedError: far too much."""
        self._drain()
        return self.output.take()

    def stop(self) -> None:
        """Have the worker ended, from another thread; `receive` then raises WorkerEndedError."""
        with contextlib.suppress(OSError):
            self._status.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        """Have the worker ended, with all that it started, and do not wait for it.

        Closing the wire lets a worker that is done exit by itself, with a status of its own.
        """
        with contextlib.suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        self.stop()

    def close(self) -> None:
        """End the worker, wait until it has ended, and remove its scratch folder."""
        if self._closed:
            return
        self._closed = True
        if self._ending is None:
            self._end_worker()
        self._release()

    def _complete(self) -> Frame | None:
        """Take an answer out of the bytes that have come, if all of it is there."""
        start = wire.PREFIX.size
        if len(self._incoming) < start:
            return None
        try:
            header, body = wire.measure(bytes(self._incoming[:start]), self.limits.answer)
            end = start + header + body
            if len(self._incoming) < end:
                return None
            frame = bytes(self._incoming[start:end])
            del self._incoming[:end]
            return codec.read_answer(frame[:header], frame[header:])
        except MalformedError as error:
            raise WorkerEndedError(malformed(error)) from error

    def _wait(self, *, writing: bool) -> list[int]:
        """Wait until something can be read, or written when `writing`; what can be read."""
        remaining = self._deadline - time.monotonic()
        if remaining <= 0 and self._when_busy is not None and machine_is_busy():
            more = self._when_busy - self._seconds
            remaining, self._deadline = remaining + more, self._deadline + more
            self._seconds, self._when_busy = self._when_busy, None
        if remaining <= 0:
            detail = f"{ENDLESS}: it did not finish within {self._seconds:g} s"
            raise WorkerEndedError(Ended("timeout", detail))
        timeout = None if remaining == float("inf") else remaining
        wire, status = self._wire.fileno(), self._status.fileno()
        ready, _, _ = select.select(
            [wire, status, self._printed], [wire] if writing else [], [], timeout
        )
        if status in ready and wire not in ready:
            raise WorkerEndedError(self._end_of_worker())
        return ready

    def _write(self) -> None:
        """Send what can be sent: nothing when the worker does not read, or reads no more."""
        with contextlib.suppress(OSError):
            while self._outgoing:
                first = self._outgoing[0]
                self._outgoing[0] = first[self._wire.send(first) :]
                if not self._outgoing[0]:
                    self._outgoing.popleft()

    def _received(self) -> bytes:
        """Bytes that have come. WorkerEndedError when there will be no more."""
        try:
            part = self._wire.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            part = b""
        if not part:
            raise WorkerEndedError(self._end_of_worker())
        return part

    def _drain(self) -> None:
        """Take what was printed; end the attempt when it is more than allowed."""
        while True:
            try:
                part = os.read(self._printed, CHUNK)
            except BlockingIOError:
                return
            if not part:
                return
            self.output.add(part)
            if self.output.total > self.limits.output:
                printed = self.limits.output >> 20
                raise WorkerEndedError(Ended("crashed", f"it printed more than {printed} MiB"))

    def _end_of_worker(self) -> Ended:
        """Why a worker that answers no more has ended."""
        ending = self._end_worker()
        with contextlib.suppress(WorkerEndedError):
            self._drain()
        return described(ending, self.limits)

    def _end_worker(self) -> Ending | None:
        """End what is left. Return how it ended; None: the supervisor is lost."""
        self.end()
        self._ending = self._report()
        return self._ending

    def _report(self) -> Ending | None:
        self._status.settimeout(GRACE)
        text = b""
        try:
            while not text.endswith(b"\n"):
                part = self._status.recv(4096)
                if not part:
                    return None
                text += part
            return Ending.from_json(text)
        except (OSError, ValueError):
            return None

    def _release(self) -> None:
        self._wire.close()
        self._status.close()
        with contextlib.suppress(OSError):
            os.close(self._printed)
        shutil.rmtree(self._scratch, ignore_errors=True)
        for folder, below, _ in os.walk(self._scratch):  # still there: one that forbids its listing
            for path in (Path(folder, name) for name in below):
                if not path.is_symlink():
                    path.chmod(0o700)
        shutil.rmtree(self._scratch, ignore_errors=True)


def machine_is_busy() -> bool:
    """Return whether more processes want to run than there are cores, over the last minute."""
    return os.getloadavg()[0] > BUSY * (os.cpu_count() or 1)


def malformed(error: MalformedError) -> Ended:
    """The end of an attempt whose worker sent what no worker sends."""
    return Ended("crashed", f"it answered with {error}")


COUNTED = 0.9
"""The share of its seconds at which a worker may be ended for them: the kernel counts ticks."""


def described(ending: Ending | None, limits: ResourceLimits) -> Ended:
    """Describe the end of a worker that ended by itself."""
    if ending is None:
        return Ended("crashed", "its supervisor process was killed")
    if (ending.exit_code or -1) < 0 and ending.cpu_seconds >= COUNTED * limits.cpu_seconds:
        what = f"{ENDLESS}: it used {limits.cpu_seconds} s of CPU time"
        return Ended("timeout", what)
    if ending.exit_code is None:
        most = f"{limits.scratch_size // MEBIBYTE} MiB or {limits.scratch_files} files"
        full = f"it wrote more than {most} to its temporary folder"
        stopped = "it closed its connection to the grader, or was stopped"
        return Ended("crashed", full if ending.scratch_full else stopped)
    if ending.exit_code == FAILED_TO_START:
        return Ended("crashed", "its process could not start")
    if ending.exit_code >= 0:
        return Ended("crashed", f"its process ended with exit status {ending.exit_code}")
    return Ended("crashed", killed_by(-ending.exit_code))


def killed_by(number: int) -> str:
    """Say that a signal ended the worker."""
    return f"its process was killed by {SIGNALS.get(number, f'signal {number}')}"
