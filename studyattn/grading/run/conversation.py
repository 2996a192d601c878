"""One attempt as the judge's process sees it: a conversation with a worker that may do anything.

All waiting happens in one place, with one deadline, over three descriptors that the worker cannot
block for long: the wire, what it prints, and the status of its supervisor. However the attempt
goes, `close` leaves no process and no scratch folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import socket
import tempfile
import time
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Self

from studyattn.grading.call_plan import Ended
from studyattn.grading.limits import FAILED_TO_START, Ending, ResourceLimits
from studyattn.grading.run import wire
from studyattn.grading.run.wire import Frame, MalformedError

GRACE = 5.0  # seconds for a supervisor to end its worker; after that it is taken to be lost
CHUNK = 1 << 16
KEPT = 8 * 1024  # bytes of output kept from each end

SIGNALS = {
    4: "an illegal instruction", 6: "abort", 7: "a bus error", 8: "a floating point exception",
    9: "SIGKILL", 11: "a segmentation fault", 24: "the limit of CPU time",
    25: "the limit of file size", 31: "a forbidden system call",
}  # fmt: skip


class ServerLostError(Exception):
    """The fork server is gone."""


class WorkerEndedError(Exception):
    """The conversation is over; `ended` says why."""

    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.detail)
        self.ended = ended


@dataclass(slots=True)
class Output:
    """What was printed: its first and its last part, and what nobody has taken yet."""

    total: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: bytearray = field(default_factory=bytearray)
    _fresh: bytearray = field(default_factory=bytearray)

    def add(self, part: bytes) -> None:
        self.total += len(part)
        self._fresh += part[: KEPT - len(self._fresh)]
        room = KEPT - len(self._head)
        self._head += part[:room]
        self._tail = (self._tail + part[room:])[-KEPT:] if len(part) > room else self._tail

    def take(self) -> str:
        """Return what was added since the last call, of much the beginning."""
        fresh, self._fresh = bytes(self._fresh), bytearray()
        return fresh.decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """All of it, or both ends around a line that says how much is missing."""
        missing = self.total - len(self._head) - len(self._tail)
        cut = f"\n… {missing} bytes left out …\n".encode() if missing else b""
        return bytes(self._head + cut + self._tail).decode("utf-8", "replace")


class Conversation:
    """A worker, from its making to its end. Use it as a context manager."""

    def __init__(self, control: socket.socket, limits: ResourceLimits) -> None:
        """Ask the fork server at `control` for a worker. ServerLostError when it is gone."""
        self.limits = limits
        self._scratch = tempfile.mkdtemp(prefix="studyattn-")
        self._wire, wire_end = socket.socketpair()
        self._status, status_end = socket.socketpair()
        self._printed, output_end = os.pipe()
        self.output = Output()
        self._deadline = float("inf")
        self._ending: Ending | None = None
        self._closed = False
        given = (wire_end.fileno(), output_end, status_end.fileno())
        request = json.dumps({"limits": asdict(limits), "scratch": self._scratch}).encode()
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

    def start_clock(self, seconds: float) -> None:
        """Have `ask` give up after this many seconds in all, from now on."""
        self._deadline = time.monotonic() + seconds

    def ask(self, frame: Frame | None) -> Frame:
        """Send `frame`, if any, and wait for one answer. WorkerEndedError when none will come."""
        outgoing = memoryview(wire.pack(frame) if frame is not None else b"")
        incoming = bytearray()
        while True:
            answer = self._complete(incoming)
            if answer is not None:
                return answer
            ready = self._wait(writing=bool(outgoing))
            if outgoing:
                outgoing = outgoing[self._sent(outgoing) :]
            if self._printed in ready:
                self._drain()
            if self._wire.fileno() in ready:
                incoming += self._received()

    def printed(self) -> str:
        """Return what the worker printed since the last call. WorkerEndedError: far too much."""
        self._drain()
        return self.output.take()

    def stop(self) -> None:
        """Have the worker ended, from another thread; `ask` then raises WorkerEndedError."""
        with contextlib.suppress(OSError):
            self._status.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """End the worker with all that it started, and remove its scratch folder."""
        if self._closed:
            return
        self._closed = True
        if self._ending is None:
            self._end_worker()
        self._release()

    def _complete(self, incoming: bytearray) -> Frame | None:
        if len(incoming) < wire.PREFIX.size:
            return None
        try:
            header, body = wire.measure(bytes(incoming[: wire.PREFIX.size]), self.limits.answer)
            start = wire.PREFIX.size
            if len(incoming) < start + header + body:
                return None
            parts = bytes(incoming[start:])
            return wire.unpack(parts[:header], parts[header:])
        except MalformedError as error:
            raise WorkerEndedError(malformed(error)) from error

    def _wait(self, *, writing: bool) -> list[int]:
        """Wait until something can be read, or written when `writing`; what can be read."""
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            detail = f"it did not finish within {self.limits.seconds:g} s"
            raise WorkerEndedError(Ended("timeout", detail))
        timeout = None if remaining == float("inf") else remaining
        wire, status = self._wire.fileno(), self._status.fileno()
        ready, _, _ = select.select(
            [wire, status, self._printed], [wire] if writing else [], [], timeout
        )
        if status in ready and wire not in ready:
            raise WorkerEndedError(self._end_of_worker())
        return ready

    def _sent(self, outgoing: memoryview) -> int:
        """Bytes that were taken: none when the worker does not read, or reads no more."""
        try:
            return self._wire.send(outgoing[:CHUNK])
        except OSError:
            return 0

    def _received(self) -> bytes:
        """Bytes that have come. WorkerEndedError when there will be no more."""
        try:
            part = self._wire.recv(CHUNK * 16)
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
        """Have the supervisor end what is left. Return how it ended; None: the supervisor is lost.

        Closing the wire lets a worker that is done exit by itself, with a status of its own.
        """
        with contextlib.suppress(OSError):
            self._wire.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._status.shutdown(socket.SHUT_WR)
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


def malformed(error: MalformedError) -> Ended:
    """The end of an attempt whose worker sent what no worker sends."""
    return Ended("crashed", f"it answered with {error}")


def described(ending: Ending | None, limits: ResourceLimits) -> Ended:
    """Describe the end of a worker that ended by itself."""
    if ending is None:
        return Ended("crashed", "the process that watched over it was ended")
    if ending.exit_code is None:
        return Ended("crashed", "it closed its connection to the grader, or was stopped")
    if ending.exit_code == FAILED_TO_START:
        return Ended("crashed", "it could not be started")
    if ending.exit_code >= 0:
        return Ended("crashed", f"its process ended with exit status {ending.exit_code}")
    if ending.cpu_seconds >= limits.cpu_seconds:
        return Ended("timeout", f"it used more than {limits.cpu_seconds} s of CPU time")
    name = SIGNALS.get(-ending.exit_code, f"signal {-ending.exit_code}")
    return Ended("crashed", f"its process was ended by {name}")
