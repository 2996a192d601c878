"""A running Anki, through its add-on AnkiConnect: cards pushed to it, its reviews taken back.

Both ways are packages, which Anki writes and reads itself: `importPackage` and `exportPackage` of
the add-on's protocol, version 6. So nothing is lost that a package holds. Anki has to run on this
machine, because it opens the file itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from studyattn.errors import InputError
from studyattn.exchange.anki.address import ADDRESS, DECK, KEY
from studyattn.paths import shown

_VERSION: Final = 6
_PATIENCE: Final = 30.0  # seconds: Anki answers nobody while it shows a dialog
_PATIENCE_WITH_PACKAGES: Final = 300.0  # a large deck takes it a while
_LARGEST: Final = 16 * 1024 * 1024  # bytes of an answer

Result = TypeVar("Result")


def push(
    write: Callable[[Path], Result], folder: Path, address: str = ADDRESS, key: str = ""
) -> Result:
    """Have Anki import what `write` writes into a package, in a new folder below `folder`.

    Raises InputError when Anki cannot be reached or does not take it.
    """
    ask("version", address=address, key=key)
    with TemporaryDirectory(dir=folder) as name:
        package = Path(name) / "studyattn.apkg"
        result = write(package)
        told = {"path": str(package.absolute())}
        if ask("importPackage", address=address, key=key, **told) is not True:
            raise InputError("Anki did not import the package", where=address)
    return result


def pull(
    read: Callable[[Path], Result],
    folder: Path,
    deck: str = DECK,
    address: str = ADDRESS,
    key: str = "",
) -> Result:
    """Return what `read` makes of a package of a deck, with its reviews, that Anki exports.

    Raises InputError when Anki cannot be reached or has no such deck.
    """
    decks = ask("deckNames", address=address, key=key)
    if not isinstance(decks, list) or deck not in decks:
        raise InputError(
            f"Anki has no deck {deck!r}", where=address, advice="Name one of its decks with --deck"
        )
    with TemporaryDirectory(dir=folder) as name:
        package = Path(name) / "anki.apkg"
        told = {"deck": deck, "path": str(package.absolute()), "includeSched": True}
        exported = ask("exportPackage", address=address, key=key, **told)
        if exported is not True or not package.is_file():
            raise InputError(
                "Anki did not export the deck",
                where=address,
                advice="Anki must run on this machine and have write access to this home",
            )
        return read(package)


def read_key(file: str) -> str:
    """Return the API key that a file holds; nothing where no file is named. Raises InputError."""
    if not file:
        return ""
    path = Path(file).expanduser()
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot read AnkiConnect's API key ({getattr(error, 'strerror', '') or 'not text'})",
            where=shown(path),
            advice="Check the setting anki_key_file.",
        ) from error


def ask(action: str, *, address: str, key: str = "", **params: object) -> Any:
    """Return the result of an action. Raises InputError with what AnkiConnect answers."""
    if urlsplit(address).scheme not in {"http", "https"}:
        raise InputError(
            "this is not an AnkiConnect address", where=address, advice=f"Try {ADDRESS}"
        )
    asked = {"action": action, "version": _VERSION, "params": params}
    body = json.dumps({**asked, "key": key} if key else asked).encode()
    patience = _PATIENCE_WITH_PACKAGES if "path" in params else _PATIENCE
    told = _answer(address, body, patience)
    if not isinstance(told, dict) or not {"result", "error"} <= told.keys():
        raise InputError("the server there is not AnkiConnect", where=address)
    if told["error"] == "valid api key must be provided":
        raise InputError(
            "AnkiConnect does not accept this API key" if key else "AnkiConnect needs an API key",
            where=address,
            advice=f"Set {KEY} or the setting anki_key_file to the key in AnkiConnect's "
            "configuration, or give it with --key.",
        )
    if told["error"] is not None:
        raise InputError(f"AnkiConnect reported: {told['error']}", where=address)
    return told["result"]


def _answer(address: str, body: bytes, patience: float) -> Any:
    """Return the JSON that a server answers with; None for what is none. Raises InputError."""
    # Late: every import and export names this module, and few ask Anki.
    import urllib.error
    import urllib.request
    from http.client import HTTPException

    request = urllib.request.Request(  # noqa: S310 - its scheme was looked at
        address, body, {"Content-Type": "application/json"}
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=patience) as response:
            return json.loads(response.read(_LARGEST))
    except urllib.error.HTTPError as error:
        raise InputError(
            f"Anki answered with HTTP {error.code} ({error.reason})",
            where=address,
            advice="Check that AnkiConnect is at this address, and read what Anki shows.",
        ) from error
    except OSError as error:
        reason = getattr(error, "reason", None) or error
        reason = getattr(reason, "strerror", None) or reason  # without Python's number
        raise InputError(
            f"Anki does not answer ({reason})",
            where=address,
            advice="Start Anki with its add-on AnkiConnect (2055492159), and close its dialogs.",
        ) from error
    except (HTTPException, ValueError, RecursionError):
        return None
