"""`import`: previews and imports documents; imports review logs and exports directly."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, emit, say
from studyattn.errors import DocumentError, InputError
from studyattn.exchange.anki.connect import pull, read_key
from studyattn.exchange.import_file import import_file, preview
from studyattn.exchange.registry import ANKI, format_of
from studyattn.exchange.sync import sync as sync_with
from studyattn.paths import shown, tidy
from studyattn.study import review
from studyattn.study.review import item_actions
from studyattn.text.characters import printable
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.exchange.documents.importing import Progress
    from studyattn.exchange.documents.preview import ImportPreview
    from studyattn.exchange.format import Format
    from studyattn.exchange.merge.merge import Conflict
    from studyattn.study.profile import Profile
    from studyattn.study.review.batch import AnsweredMany


def sync(profile: Profile, folder: str | None) -> Answer:
    place = folder or profile.settings.sync_folder.strip()
    if not place:
        raise click.UsageError("Give DIR, or set it: studyattn settings set sync_folder DIR")
    report = sync_with(profile.database, Path(place).expanduser(), review.rebuild.refold)
    return Answer(report, report.lines(), failed=bool(report.problems))


_SIDES = ("here", "there", "later")
_TEXT_FROM = 11  # columns of a line of the preview before its text: the document's line, a sign


def import_(
    profile: Profile,
    *,
    paths: tuple[Path, ...],
    dry_run: bool,
    edit: bool,
    dialect: str,
    from_anki: str | None,
    deck: str,
    key: str | None,
    texts: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    asks = sys.stdin.isatty() and not (yes or as_json)
    side = texts or (None if asks else "later")
    returned = partial(_returned, profile, side=side, dry_run=dry_run, as_json=as_json)
    if from_anki is not None:
        key = read_key(profile.settings.anki_key_file) if key is None else key
        pull(lambda path: returned({path: ANKI}), profile.home.root, deck, from_anki, key)
    elif not paths:
        raise InputError("no file or folder given", advice="Name a file or folder to import")
    returns, others = _sorted(dict.fromkeys(map(tidy, paths)), dialect)
    if others:
        _others(profile, others, dialect, dry_run=dry_run, edit=edit, yes=yes, as_json=as_json)
    if returns:
        returned(returns)


def _sorted(paths: Iterable[Path], dialect: str) -> tuple[dict[Path, Format], list[Path]]:
    """Return the files that an export wrote, each with its format, and the other paths."""
    returns: dict[Path, Format] = {}
    others = []
    for path in paths:
        form = None if dialect else format_of(path)
        if form is None:
            others.append(path)
        else:
            returns[path] = form
    return returns, others


def _others(
    profile: Profile,
    paths: Sequence[Path],
    dialect: str,
    *,
    dry_run: bool,
    edit: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Import documents and review logs."""
    # Late: files that an export wrote do without them.
    from studyattn.exchange.documents.dialects import ways
    from studyattn.exchange.documents.importing import read_documents
    from studyattn.exchange.files import PathKind, kind_of
    from studyattn.packs.errata import installed_errata

    if dialect:
        ways(dialect)
    documents: list[Path] = []
    logs: list[Path] = []
    for path in paths:
        kind = kind_of(path)
        if kind is PathKind.DATABASE:
            raise InputError(
                "this is a database, not a document",
                where=str(path),
                advice=f"If it is a backup, restore it with `studyattn db restore {path}`.",
            )
        (logs if kind is PathKind.REVIEW_LOG else documents).append(path)
    if documents:
        with _progress(as_json) as progress:
            errata = installed_errata(profile.home)
            shown = read_documents(profile.database, documents, progress, errata, dialect)
        _documents(profile, shown, dry_run=dry_run, edit=edit, yes=yes, as_json=as_json)
    if logs:
        _logs(profile, logs, dry_run=dry_run, as_json=as_json)


def _documents(
    profile: Profile, shown: ImportPreview, *, dry_run: bool, edit: bool, yes: bool, as_json: bool
) -> None:
    if edit:
        _edit(shown)
    if not as_json:
        say("\n".join(shown.plan.lines()), hang=_TEXT_FROM)
    elif dry_run:
        emit(shown.plan)
    if dry_run:
        return
    from studyattn.exchange.documents.importing import apply_import

    joins = () if yes or shown.plan.changes_nothing else _ask(shown)
    plan = shown.plan
    apply_import(profile.database, plan, profile.clock.now(), joins, review.rebuild.refold)
    if as_json:
        emit({**plan.numbers(), "joined": joins, "new_cards": plan.new_cards})
    elif not plan.changes_nothing:
        parts = "; ".join(f"{made} {told}" for told, made in plan.made(len(joins)))
        say(f"Imported: {parts}.")


def _edit(preview: ImportPreview) -> None:
    """Let the learner edit the cards, again where the text cannot be read.

    Raises DocumentError for such a text when nobody can be asked.
    """
    text = preview.text
    while (written := click.edit(text, extension=".md")) is not None:
        try:
            preview.use_text(written)
        except DocumentError as error:
            if not sys.stdin.isatty():
                raise
            click.echo(str(error), err=True)
            click.confirm("Edit again?", default=True, abort=True, err=True)
            text = written
        else:
            return


def _ask(preview: ImportPreview) -> tuple[str, ...]:
    """Ask whether this is imported; return the joins that are accepted.

    Raises InputError when nobody can be asked.
    """
    if not sys.stdin.isatty():
        raise InputError("nothing was imported", advice="Add --yes to skip the prompt.")
    _ask_with_offers(preview)
    return tuple(
        slug
        for slug, each in preview.plan.joins.items()
        if click.confirm(f"Is {slug} the same as “{each.into_title}”?", default=False, err=True)
    )


def _ask_with_offers(preview: ImportPreview) -> None:
    """Let the learner take offers by their numbers until they import. Raises Abort."""
    while source := next((e for e in preview.plan.sources if e.understood.offers), None):
        offers = {str(at): each for at, each in enumerate(source.understood.offers, start=1)}
        choices = click.Choice(["y", "n", *offers])
        told = "Import this? A number takes that offer, or puts it back"
        answer = click.prompt(told, default="y", type=choices, err=True)
        if answer == "n":
            raise click.Abort
        if answer == "y":
            break
        preview.choose(source.path, offers[answer].name)
        say("\n".join(preview.plan.lines()), hang=_TEXT_FROM)
    else:
        click.confirm("Import this?", default=True, abort=True, err=True)


@contextmanager
def _progress(as_json: bool) -> Iterator[Progress | None]:
    """Show a bar on standard error while documents are read, if it is a terminal."""
    if as_json or not sys.stderr.isatty():
        yield None
        return

    def show(done: int, total: int, path: Path) -> None:
        filled = round(24 * done / total)
        bar = "█" * filled + "░" * (24 - filled)
        line = printable(f"{bar} {done} of {total}  {path.name}")[:79]
        click.echo(f"\r\x1b[K{line}", err=True, nl=False)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def _logs(profile: Profile, paths: Sequence[Path], *, dry_run: bool, as_json: bool) -> None:
    results: list[AnsweredMany] = []
    for path in paths:
        result = review.batch.answer_many(profile, path, origin="import", dry_run=dry_run)
        results.append(result)
        if not as_json:
            say(f"{shown(path)}: {_answered(result, dry_run=dry_run)}")
    if as_json:
        emit(results)


def _answered(result: AnsweredMany, *, dry_run: bool) -> str:
    parts = []
    if result.answered:
        verb = "would be imported" if dry_run else "imported"
        parts.append(f"{count(result.answered, 'review')} of {count(result.items, 'item')} {verb}")
    if result.already:
        parts.append(f"{count(result.already, 'review')} there already")
    return f"{', '.join(parts) or 'no reviews in this file'}."


def _returned(
    profile: Profile,
    paths: Mapping[Path, Format],
    *,
    side: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import files that an export wrote; without a `side`, ask which texts of both to keep."""
    results = []
    for path, form in paths.items():
        now = profile.clock.now()
        if dry_run:
            result = preview(profile.database, path, form, now)
        else:
            result = import_file(profile.database, path, form, now, review.rebuild.refold)
        results.append(result)
        if not as_json:
            say(f"{shown(path)}: {form.kind}")
            say("\n".join(result.lines()))
        if not dry_run:
            _keep_texts(profile, result.conflicts, side)
    profile.reload()
    if as_json:
        emit(results)


def _keep_texts(profile: Profile, conflicts: Sequence[Conflict], side: str | None) -> None:
    """Give cards that both sides edited the text of a side, asking for it where none is given."""
    for conflict in conflicts:
        if not conflict.is_card:
            continue
        chosen = side
        if chosen is None:
            for name in ("here", "there"):
                wording = conflict.wording(name)
                click.echo(printable(f"{name:6} {wording.title}: {wording.body}"), err=True)
            answer = click.prompt(
                "Keep the text here, there or the later one? All: HERE, THERE, LATER",
                type=click.Choice([*_SIDES, *map(str.upper, _SIDES)]),
                default="later",
                show_choices=False,
                err=True,
            )
            chosen = answer.lower()
            side = chosen if answer.isupper() else None
        wording = conflict.wording(chosen)
        if wording != conflict.kept:
            click.echo(f"{conflict.guid} has the text from {chosen} now.", err=True)
            now, kept_at = profile.clock.now(), conflict.kept.at
            at = now if kept_at is None else max(now, kept_at + timedelta(microseconds=1))
            item_actions.edit(profile, conflict.guid, wording.title, wording.body, at)
