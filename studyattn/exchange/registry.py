"""The formats that can be exported and imported, as `formats.toml` lists them.

The commands `export` and `import`, their help, and the app's screens for both are drawn from it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from studyattn.exchange import recognition
from studyattn.exchange.format import Format, OutputKind, Reader
from studyattn.exchange.lazily import named

_HELP: Final = {
    "note": "Export the learning note: concepts, cards, notes and drills.",
    "anki": "Export cards for Anki, with review history and memory states.",
    "all": "Export everything as JSON Lines (docs/exchange-format.md).",
    "cards": "Export the learning note's cards as text.\n\n"
    "`studyattn import` reads each of these files back.",
}


def _formats() -> Iterator[Format]:
    page = files("studyattn.exchange").joinpath("formats.toml").read_text("utf-8")
    said: Mapping[str, Any]
    for name, said in tomllib.loads(page).items():
        fields = dict(said)
        read, recognises = fields.pop("read", None), fields.pop("recognises", "")
        folders = fields.pop("folders", False)
        fields |= {key: named(fields[key]) for key in ("write", "only") if key in fields}
        if read is not None:
            fields["reader"] = Reader(getattr(recognition, recognises), named(read), folders)
        fields["output"] = OutputKind[fields.pop("output", "text").upper()]
        fields["carries"] = tuple(fields["carries"])
        yield Format(name=name, help=_HELP[fields["command"]], **fields)


FORMATS: Final = {each.name: each for each in _formats()}
"""By name, in the order in which they are offered."""
MARKDOWN, OBSIDIAN, HTML = FORMATS["markdown"], FORMATS["obsidian"], FORMATS["html"]
ANKI, JSON_LINES = FORMATS["anki"], FORMATS["jsonl"]


def of_command(command: str) -> tuple[Format, ...]:
    """Return the formats that a subcommand of `studyattn export` writes, the usual one first."""
    formats = [each for each in FORMATS.values() if each.command == command]
    return tuple(sorted(formats, key=lambda each: each.reader is None))


def format_written(formats: Sequence[Format], output: Path | None) -> Format:
    """Return the one of `formats` that a file of this name has, by its suffix; else the first."""
    suffix = "" if output is None else output.suffix.lower()
    named = (each for each in formats if suffix and Path(each.file_name).suffix == suffix)
    return next(named, formats[0])


def importable() -> tuple[Format, ...]:
    """Return the formats that can be imported."""
    return tuple(each for each in FORMATS.values() if each.reader is not None)


def format_of(path: Path) -> Format | None:
    """Return the format of a file or folder, by its contents; None for what no format has.

    That is a document, a review log, a folder of documents, or what cannot be read.
    """
    try:
        head = b""
        is_folder = path.is_dir()
        if not is_folder:
            if not path.is_file():  # reading a pipe would take away what it holds
                return None
            with path.open("rb") as file:
                head = file.read(recognition.HEAD)
        for each in importable():
            reader = each.reader
            if reader and (reader.folders or not is_folder) and reader.recognises(path, head):
                return each
    except (OSError, ValueError):  # the latter for a name that no file can have
        pass
    return None
