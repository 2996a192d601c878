"""`export`: a subcommand for each format, or for several formats of one thing.

The subcommands, their options and their help are drawn from `exchange.registry`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from io import IOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, emit, examples, warned
from studyattn.cli.declared import Entry, SuggestingGroup, made
from studyattn.errors import InputError
from studyattn.exchange.anki.address import ADDRESS, KEY
from studyattn.exchange.format import Format, OutputKind, Selection, Written
from studyattn.exchange.registry import ANKI, FORMATS, format_written, of_command
from studyattn.paths import shown
from studyattn.study import notes, statistics
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


class _ExportGroup(SuggestingGroup):
    """The commands of the formats that are registered."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own
        return sorted({form.command for form in FORMATS.values()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own
        formats = of_command(cmd_name)
        return _command(formats) if formats else None


@click.group(
    cls=_ExportGroup,
    epilog=examples("studyattn export note -o note.md", "studyattn export all -o everything.jsonl"),
)
def export() -> None:
    """Export the learning note, cards for Anki, or everything."""


def _command(formats: Sequence[Format]) -> click.Command:
    """Return the command that writes one of `formats`, the first by default."""
    usual = formats[0]
    line = f"studyattn export {usual.command}"
    lines = [f"{line} -o {usual.file_name}"]
    lines += [f"{line} --format {form.name} -o {form.file_name}" for form in formats[1:2]]
    lines += [f"{line} --to-anki"] if usual is ANKI else []
    lines += [f"{line} --concept softmax --since 2026-11-01"] if usual.selects else []
    options = tuple(_options(formats))
    run = partial(_write, formats)
    return made(
        Entry(f"export {usual.command}", "", (), usual.help, options, tuple(lines), run=run)
    )


def _options(formats: Sequence[Format]) -> Iterator[str]:
    """Yield the options of the command: the output, the selection, the format."""
    usual = formats[0]
    if usual.output is OutputKind.TEXT:
        yield "-o, --output(target) :name  Output file or folder.  [default: standard output]"
    else:
        needed, suffix = "" if usual is ANKI else "!", Path(usual.file_name).suffix
        yield f"-o, --output(target) :name{needed}  The {suffix or 'folder'} to write."
    if usual is ANKI:
        yield (
            "--into COLLECTION:path  Write new reviews, edited texts and tags into the"
            " collection.anki2 of an Anki that is closed; a copy of it is kept."
        )
        yield "--back  Export only cards that came from Anki, to import them there again."
        yield (
            f"--to-anki [ADDRESS]:text?{ADDRESS}  Push to a running Anki with the AnkiConnect "
            f"add-on instead of a file.  [default address: {ADDRESS}]"
        )
        yield (
            f"--key KEY ${KEY}  AnkiConnect's API key; prefer {KEY}."
            " [default: the setting anki_key_file]"
        )
    if any(form.selects for form in formats):
        yield "--concept CONCEPT:concept  Export only this concept."
        yield "--source NAME  Export only this source (title or guid)."
        yield "--since :day  Export only changes on or after this day (2026-11-21)."
    if len(formats) > 1:
        about = " ".join(f"{form.name}: {form.about}." for form in formats)
        names = "|".join(form.name for form in formats)
        yield f"--format(form) :{names}  {about}  [default: by file name, else {usual.name}]"


def _write(
    formats: Sequence[Format],
    *,
    profile: Profile,
    target: str | None,
    as_json: bool,
    form: str | None = None,
    concept: str | None = None,
    source: str | None = None,
    since: date | None = None,
    back: bool = False,
    into: Path | None = None,
    to_anki: str | None = None,
    key: str | None = None,
) -> Answer | None:
    from studyattn.exchange.export_file import save_export, write_export  # late: help does without

    if to_anki is not None:
        return _push(profile, formats[0], to_anki, key, Selection(returning=back))
    if into is not None:
        return _into(profile, formats[0], into)
    chosen, output = _output(formats, form, target)
    guid = None
    if source is not None:
        with profile.database.read() as connection:
            guid = notes.notes.find_source(connection, source).guid
    figures = statistics.pages.shared_figures(profile, concept, guid) if chosen.figures else ()
    selection = Selection(concept, guid, since, back)
    written = write_export(profile.database, profile.scheduler, chosen, selection, figures)
    if output is None:
        _show(written, as_json=as_json)
        return None
    save_export(output, written)
    summary = "" if chosen.output is OutputKind.TEXT else written.summary
    told = f"Written: {shown(output)}{f': {summary}' if summary else ''}"
    return Answer({"path": output, "written": summary or None}, warned(told))


def _output(
    formats: Sequence[Format], form: str | None, target: str | None
) -> tuple[Format, Path | None]:
    """Return the format that is written, and where to; None is standard output."""
    from studyattn.exchange.save_file import file_named  # late, as above and below

    output = None if target is None else Path(target)
    chosen = FORMATS[form] if form else format_written(formats, output)
    if target is None:
        if chosen.output is OutputKind.TEXT:
            return chosen, None
        is_folder = chosen.output is OutputKind.FOLDER
        what, name = ("folder", "DIR") if is_folder else ("file", "FILE")
        raise InputError(f"a {what} is needed", advice=f"Name it with -o {name}")
    return chosen, output if chosen.output is OutputKind.FOLDER else file_named(target)


def _push(
    profile: Profile, form: Format, address: str, key: str | None, selection: Selection
) -> Answer:
    """Have a running Anki import what is selected."""
    from studyattn.exchange.anki.connect import push, read_key
    from studyattn.exchange.export_file import export_to

    key = read_key(profile.settings.anki_key_file) if key is None else key
    write = partial(export_to, profile.database, profile.scheduler, form, selection=selection)
    summary = push(write, profile.home.root, address, key)
    return Answer({"address": address, "written": summary}, warned(f"Imported by Anki: {summary}"))


def _into(profile: Profile, form: Format, collection: Path) -> Answer:
    """Write what changed here into Anki's own collection."""
    from studyattn.exchange.anki.into import send
    from studyattn.exchange.export_file import export_to

    with TemporaryDirectory(dir=profile.home.root) as folder:
        package = Path(folder) / "back.apkg"
        chosen = Selection(returning=True)
        export_to(profile.database, profile.scheduler, form, package, selection=chosen)
        sent = send(package, collection, profile.clock.now())
    numbers = ((sent.notes, "note"), (sent.cards, "card"), (sent.reviews, "review"))
    told = ", ".join(count(number, kind) for number, kind in numbers)
    if sent.copy is None:
        return Answer(sent, warned("Nothing to change in Anki."))
    return Answer(sent, warned(f"Changed in Anki: {told}\nCopy from before: {shown(sent.copy)}"))


def _show(written: Written, *, as_json: bool) -> None:
    """Write a text onto standard output. Lines of JSON are, as JSON, an array of them."""
    content = written.content
    if isinstance(content, str):
        if as_json:
            emit({"path": None, "text": content})
        else:
            click.echo(content.encode(), nl=False)
    elif isinstance(content, IOBase):  # lines of JSON
        with content:
            for number, line in enumerate(content):
                told = line if not as_json else (b", " if number else b"[") + line.rstrip(b"\n")
                click.echo(told, nl=False)
        if as_json:
            click.echo("]")
