"""The fork server: a process that has imported the array library and forks a warden per attempt.

    python -m studyattn.grading.run.fork_server BACKEND DEVICE DESCRIPTOR OPTIONS

It holds no reference, no judge and no expected value, so no worker inherits any. It makes no
threads and runs no arithmetic, so that a fork of it is whole. Each request on the control socket
is one line of JSON with three descriptors: the worker's end of the wire, where output goes, and the
status socket. It ends when the runner's end of the control socket is closed.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from studyattn.grading import arrays
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run import supervisor, worker
from studyattn.grading.sandbox import Level, plan, tree
from studyattn.grading.submission import Backend

MAX_REQUEST = 1 << 16

Watch = Callable[[supervisor.WorkerSpec], NoReturn]


def main(arguments: Sequence[str]) -> None:
    """Serve until the control socket closes."""
    backend, device, descriptor, options = arguments
    wanted = json.loads(options)
    control = socket.socket(fileno=int(descriptor))
    left_out = [Level(name) for name in wanted["without"]]
    walls = plan(package=wanted["package"], cuda=device == "cuda").without(left_out)
    gc.disable()  # hardly anything that an import makes is garbage
    library = arrays.library(Backend(backend), device)
    # What is alive now lives as long as the server: no worker needs to look at it, and looking
    # would copy its pages.
    gc.freeze()
    gc.enable()
    tree.become_subreaper()
    control.sendall(json.dumps({"isolation": walls.isolation}).encode() + b"\n")
    work = functools.partial(worker.work, library=library)
    _serve(control, functools.partial(supervisor.watch, walls, work))


def _serve(control: socket.socket, watch: Watch) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the runner's to answer
    wardens: set[int] = set()
    while True:
        ready, _, _ = select.select([control.fileno(), reading], [], [])
        if reading in ready:
            os.read(reading, 4096)
            _reap(wardens)
        if control.fileno() in ready:
            posting = _request(control)
            if posting is None:
                return
            wardens.add(_fork(watch, posting, (control.fileno(), reading, writing)))


def _request(control: socket.socket) -> supervisor.WorkerSpec | None:
    text, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST, 3)
    while text and not text.endswith(b"\n"):
        text += control.recv(MAX_REQUEST)
    if not text:
        return None
    fields = json.loads(text)
    wire, output, status = descriptors
    return supervisor.WorkerSpec(
        ResourceLimits(**fields["limits"]), fields["scratch"], wire, output, status
    )


def _fork(watch: Watch, posting: supervisor.WorkerSpec, own: Sequence[int]) -> int:
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        for descriptor in own:
            os.close(descriptor)
        watch(posting)
    for descriptor in (posting.wire, posting.output, posting.status):
        os.close(descriptor)
    return child


def _reap(wardens: set[int]) -> None:
    """Collect ended children, and end what a warden that was itself killed left behind."""
    while True:
        try:
            process, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            return
        wardens.discard(process)
        if code != 0 and not wardens:
            for stray in tree.descendants(os.getpid()):
                os.kill(stray, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
