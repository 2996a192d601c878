"""`serve`: the app in a browser."""

from __future__ import annotations

import asyncio
import sys

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    Amount,
    Whole,
    examples,
    json_option,
    pass_invocation,
    respond,
    say,
)
from studyattn.errors import InputError
from studyattn.extras import how_to_install, is_installed


@click.command(
    epilog=examples(
        "studyattn serve",
        "studyattn serve --host 0.0.0.0 --port 8000",
        "studyattn serve --add-learner anna",
    )
)
@click.option("--host", default="127.0.0.1", metavar="NAME", help="[default: 127.0.0.1]")
@click.option(
    "--port", type=Whole(0, 65535), default=8000, help="[default: 8000; 0 picks a free port]"
)
@click.option(
    "--token",
    envvar="STUDYATTN_TOKEN",
    metavar="T",
    help="Token in the address; prefer STUDYATTN_TOKEN. [default: a new one]",
)
@click.option("--no-token", is_flag=True, help="Require no token (on 127.0.0.1, or with logins).")
@click.option(
    "--font-size", type=Whole(6, 64), metavar="N", help="In pixels. [default: set by the page]"
)
@click.option("--sessions", type=Whole(1, 1000), default=32, help="Maximum number. [default: 32]")
@click.option(
    "--keep",
    type=Amount(min=0),
    default=10,
    metavar="MINUTES",
    help="How long to keep a session after its page closes. [default: 10]",
)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME", help="Also answer to this name."
)
@click.option(
    "--add-learner", "added", metavar="NAME", help="Let a learner log in; asks for a password."
)
@click.option("--remove-learner", "removed", metavar="NAME", help="Remove a learner's login.")
@json_option
@pass_invocation
def serve(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
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
) -> None:
    """Show the app in a browser.

    The printed address contains a token: anyone who has it can use the app. With a shared database
    (--db), learners also log in.
    """
    _check_installed()
    from studyattn.serve import server
    from studyattn.serve.access import Doors, new_token

    home = invocation.home
    learners = None if home.server is None else server.learners_of(home)
    if added is not None or removed is not None:
        name = server.login_name(home, added or removed or "")
        log_ins = server.learners_of(home)
        if added is not None:
            log_ins.add(name, click.prompt("Password", hide_input=True, confirmation_prompt=True))
        else:
            log_ins.remove(name)
        told = "can log in" if added is not None else "can no longer log in"
        respond({"learners": log_ins.names()}, f"{name} {told}", as_json=as_json)
        return
    if token is not None and no_token:
        raise click.UsageError("Choose one of --token and --no-token")
    doors = Doors(
        None if no_token else token or new_token(), host, frozenset(map(str.lower, hosts))
    )
    serving = server.Serving(
        home, doors, port, font_size, most_sessions=sessions, keep=60 * keep, learners=learners
    )

    def tell(address: str) -> None:
        respond(
            {"address": address},
            f"Open {address}\nCtrl-C stops the server and its sessions.",
            as_json=as_json,
        )
        sys.stdout.flush()

    asyncio.run(server.serve(serving, tell))
    if not as_json:
        say("All sessions ended cleanly.")


def _check_installed() -> None:
    for library in ("textual_serve", "argon2"):
        if not is_installed(library):
            raise InputError(
                "the app in a browser needs textual-serve and argon2-cffi",
                advice=how_to_install("serve"),
            )
