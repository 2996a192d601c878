"""`serve`: the app in a browser."""

from __future__ import annotations

import asyncio
import sys

import click

from studyattn.cli.common import Answer, Invocation, emit, say
from studyattn.errors import InputError
from studyattn.extras import how_to_install, is_installed
from studyattn.home import Home


def serve(
    invocation: Invocation,
    *,
    host: str,
    port: int,
    token: str | None,
    no_token: bool,
    font_size: int | None,
    sessions: int,
    keep: float,
    hosts: tuple[str, ...],
    added: str | None,
    removed: str | None,
    as_json: bool,
) -> Answer | None:
    if not (is_installed("textual_serve") and is_installed("argon2")):
        raise InputError(
            "the app in a browser needs textual-serve and argon2-cffi",
            advice=how_to_install("serve"),
        )
    from studyattn.serve import server
    from studyattn.serve.access import Doors, new_token

    home = invocation.home
    if added is not None or removed is not None:
        return _change_log_ins(home, added, removed)
    learners = None if home.server is None else server.learners_of(home)
    doors = Doors(
        None if no_token else token or new_token(), host, frozenset(map(str.lower, hosts))
    )
    serving = server.Serving(
        home, doors, port, font_size, most_sessions=sessions, keep=60 * keep, learners=learners
    )

    def tell(address: str) -> None:
        if as_json:
            emit({"address": address})
        else:
            say(f"Open {address}\nCtrl-C stops the server and its sessions.")
        sys.stdout.flush()

    asyncio.run(server.serve(serving, tell))
    return None if as_json else Answer(None, "All sessions ended cleanly.")


def _change_log_ins(home: Home, added: str | None, removed: str | None) -> Answer:
    """Let a learner of a shared database log in from now on, or no longer."""
    from studyattn.serve import server

    name = server.login_name(home, added or removed or "")
    log_ins = server.learners_of(home)
    if added is not None:
        log_ins.add(name, click.prompt("Password", hide_input=True, confirmation_prompt=True))
        return Answer({"learners": log_ins.names()}, f"{name} can log in")
    log_ins.remove(name)
    return Answer({"learners": log_ins.names()}, f"{name} can no longer log in")
