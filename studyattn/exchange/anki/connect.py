"""A running Anki, through its add-on AnkiConnect: cards pushed to it, its reviews taken back.

Both ways are packages, which Anki writes and reads itself: `importPackage` and `exportPackage` of
the add-on's protocol, version 6. So nothing is lost that a package holds. Anki has to run on this
machine, because it opens the file itself.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from studyattn.errors import InputError
from studyattn.exchange.anki.address import ADDRESS, DECK

_VERSION: Final = 6
_PATIENCE: Final = 300.0  # seconds: a large deck takes Anki a while
_LARGEST: Final = 16 * 1024 * 1024  # bytes of an answer

Result = TypeVar("Result")


def push(write: Callable[[Path], Result], folder: Path, address: str = ADDRESS) -> Result:
    """Have Anki import what `write` writes into a package, in a new folder below `folder`.

    Raises InputError when Anki cannot be reached or does not take it.
    """
    ask("version", address=address)
    with TemporaryDirectory(dir=folder) as name:
        package = Path(name) / "studyattn.apkg"
        result = write(package)
        if ask("importPackage", address=address, path=str(package.absolute())) is not True:
            raise InputError("Anki did not import the package", where=address)
    return result


def pull(
    read: Callable[[Path], Result], folder: Path, deck: str = DECK, address: str = ADDRESS
) -> Result:
    """Return what `read` makes of a package of a deck, with its reviews, that Anki exports.

    Raises InputError when Anki cannot be reached or has no such deck.
    """
    decks = ask("deckNames", address=address)
    if not isinstance(decks, list) or deck not in decks:
        raise InputError(
            f"Anki has no deck {deck!r}", where=address, advice="Name one of its decks with --deck"
        )
    with TemporaryDirectory(dir=folder) as name:
        package = Path(name) / "anki.apkg"
        told = {"deck": deck, "path": str(package.absolute()), "includeSched": True}
        if ask("exportPackage", address=address, **told) is not True or not package.is_file():
            raise InputError(
                "Anki did not export the deck",
                where=address,
                advice="Anki must run on this machine and have write access to this home",
            )
        return read(package)


def ask(action: str, *, address: str, **params: object) -> Any:
    """Return the result of an action. Raises InputError with what AnkiConnect answers."""
    if urlsplit(address).scheme not in {"http", "https"}:
        raise InputError(
            "this is not an AnkiConnect address", where=address, advice=f"Try {ADDRESS}"
        )
    body = json.dumps({"action": action, "version": _VERSION, "params": params}).encode()
    request = urllib.request.Request(  # noqa: S310 - its scheme was looked at
        address, body, {"Content-Type": "application/json"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=_PATIENCE) as response:
            told = json.loads(response.read(_LARGEST))
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason  # without Python's number
        raise InputError(
            f"Anki does not answer ({reason})",
            where=address,
            advice="Start Anki with its add-on AnkiConnect (2055492159)",
        ) from error
    if not isinstance(told, dict) or not {"result", "error"} <= told.keys():
        raise InputError("the server there is not AnkiConnect", where=address)
    if told["error"] is not None:
        raise InputError(f"AnkiConnect reported: {told['error']}", where=address)
    return told["result"]
