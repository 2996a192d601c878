"""`pack`: installed packs, and checks of a pack's files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from studyattn.cli.common import Answer, Invocation, Rows
from studyattn.exchange.save_file import file_named
from studyattn.packs.locate import installed_packs
from studyattn.packs.read import load_pack
from studyattn.text.counting import count


def new(name: str) -> Answer:
    from studyattn.packs.scaffold import new_pack  # late, here and below: it checks, with numpy

    folder = new_pack(Path(), name)
    shown = (
        f"{folder} has a concept, three cards and a drill. Change them, then:\n"
        f"  studyattn pack check {folder}\n  studyattn pack add {folder}"
    )
    return Answer({"folder": folder}, shown)


def add(invocation: Invocation, source: Path, digest: str | None) -> Answer:
    from studyattn.packs.pack_file import unpacked
    from studyattn.packs.scaffold import add_pack

    if source.is_file():
        with unpacked(source, digest) as folder:
            added = add_pack(folder, invocation.home)
    elif digest is not None:
        raise click.UsageError("--digest needs a file from `pack build`")
    else:
        added = add_pack(source, invocation.home)
    cards, drills = sum(1 for _ in added.cards()), len(added.drills)
    value = {"id": added.id, "folder": added.folder, "cards": cards, "drills": drills}
    what = f"{count(cards, 'card')}, {count(drills, 'drill')}"
    return Answer(value, f"Added {added.title}: {what}, in {added.folder}.")


def build(folder: Path, target: str | None) -> Answer:
    from studyattn.packs.pack_file import build_pack

    file, digest = build_pack(folder, None if target is None else file_named(target))
    shown = f"{file}\n  {digest}\nInstall it with:\n  studyattn pack add {file} --digest {digest}"
    return Answer({"file": file, "digest": digest}, shown)


def list_(invocation: Invocation) -> Answer:
    packs = [load_pack(folder) for folder in installed_packs(invocation.home)]
    value = [
        {
            "id": each.id,
            "title": each.title,
            "version": each.version,
            "concepts": len(each.concepts),
            "cards": sum(1 for _ in each.cards()),
            "drills": len(each.drills),
            "folder": each.folder,
        }
        for each in packs
    ]
    rows = [(each.id, each.version, each.title, str(each.folder)) for each in packs]
    return Answer(value, Rows(rows))


def check(
    invocation: Invocation, folder: Path | None, submissions: Path | None, verbose: bool
) -> Answer:
    from studyattn.packs.check import examine_pack

    folders = [folder] if folder is not None else installed_packs(invocation.home)
    reports = [examine_pack(each, _tell, submissions) for each in folders]
    findings = [finding for report in reports for finding in report.findings]

    def shown() -> Iterator[str]:
        yield from map(str, findings)
        for report in reports:
            figures = [("mutants, starters and solutions", report.figure)]
            figures += [("whole submissions", report.corpus)] if submissions else []
            for of, figure in figures:
                yield from (f"  {each}" for each in figure.misnamed) if verbose else ()
                yield f"{of}: {figure}"
        if not findings:
            yield "No problems found."

    value = [
        {"file": each.place.file, "line": each.place.line, "message": each.message}
        for each in findings
    ]
    return Answer(value, shown(), failed=bool(findings))


def _tell(part: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"checking {part} …", err=True)
