"""A format that the program does not have: the titles of concepts, a line each."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from studyattn.exchange.format import ExportInput, Format, Incoming, OutputKind, Reader, Written
from studyattn.store.snapshot import ConceptRecord, Snapshot


def write_titles(source: ExportInput) -> Written:
    titles = [f"{each.slug}={each.title}" for each in source.snapshot.concepts if not each.pack]
    return Written("\n".join(["titles", *titles, ""]), f"{len(titles)} titles")


def read_titles(path: Path, _at: datetime) -> Incoming:
    pairs = [line.split("=") for line in path.read_text().splitlines()[1:]]
    return Incoming(
        Snapshot(
            concepts=tuple(
                ConceptRecord(slug, title, "unseen", "", None, None, None, 0, False, False, ())
                for slug, title in pairs
            )
        )
    )


TITLES = Format(
    name="titles",
    title="Titles",
    kind="list of titles",
    about="the names of your concepts, for a test",
    carries=("concepts",),
    file_name="titles.txt",
    output=OutputKind.TEXT,
    command="titles",
    help="Export the titles of concepts.",
    write=write_titles,
    reader=Reader(lambda _path, head: head.startswith(b"titles\n"), read_titles),
)
