"""`pack`: installed packs, and checks of a pack's files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, pass_invocation, say, table
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.grading.mutation_report import Figure


@click.group(
    epilog=examples(
        "studyattn pack list", "studyattn pack new my-pack", "studyattn pack add my-pack/"
    )
)
def pack() -> None:
    """List, write, check, build and add packs of content."""


@pack.command(epilog=examples("studyattn pack new my-pack"))
@click.argument("name")
@json_option
def new(name: str, as_json: bool) -> None:
    """Write the smallest pack into a new folder.

    The folder is called NAME. Edit its files, then check and add the pack.
    """
    from studyattn.packs.scaffold import new_pack

    folder = new_pack(Path(), name)
    if as_json:
        emit({"folder": folder})
        return
    say(f"{folder} has a concept, three cards and a drill. Change them, then:")
    say(f"  studyattn pack check {folder}\n  studyattn pack add {folder}")


@pack.command(
    epilog=examples("studyattn pack add my-pack/", "studyattn pack add my-pack-0.1.0.pack.zip")
)
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option("--digest", metavar="SHA256", help="Refuse the file if its digest differs.")
@json_option
@pass_invocation
def add(invocation: Invocation, source: Path, digest: str | None, as_json: bool) -> None:
    """Install the pack in SOURCE, a folder or a file from `pack build`.

    Copies the pack into the home and schedules its cards and drills. A pack's computed.py and
    checks.py are programs: add packs only from people whose code you would run.
    """
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
    if as_json:
        emit({"id": added.id, "folder": added.folder, "cards": cards, "drills": drills})
        return
    what = f"{count(cards, 'card')}, {count(drills, 'drill')}"
    say(f"Added {added.title}: {what}, in {added.folder}.")


@pack.command(
    epilog=examples("studyattn pack build my-pack/", "studyattn pack build my-pack/ -o w3.zip")
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "target",
    metavar="FILE",
    help="[default: ID-VERSION.pack.zip]",
)
@json_option
def build(folder: Path, target: str | None, as_json: bool) -> None:
    """Build one file from the pack in DIR, for sharing.

    The same files give the same digest, so others can verify the pack.
    """
    from studyattn.exchange.save_file import file_named
    from studyattn.packs.pack_file import build_pack

    file, digest = build_pack(folder, None if target is None else file_named(target))
    if as_json:
        emit({"file": file, "digest": digest})
        return
    say(f"{file}\n  {digest}\nInstall it with:")
    say(f"  studyattn pack add {file} --digest {digest}")


@pack.command("list", epilog=examples("studyattn pack list --json"))
@json_option
@pass_invocation
def list_(invocation: Invocation, as_json: bool) -> None:
    """List the installed packs."""
    from studyattn.packs.locate import installed_packs
    from studyattn.packs.read import load_pack

    packs = [load_pack(folder) for folder in installed_packs(invocation.home)]
    if as_json:
        emit(
            [
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
        )
        return
    table([(each.id, each.version, each.title, str(each.folder)) for each in packs])


@pack.command(epilog=examples("studyattn pack check", "studyattn pack check my-pack/ --verbose"))
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option(
    "--submissions",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also grade the labeled submissions in DIR.",
)
@click.option("--verbose", is_flag=True, help="List misdiagnosed mistakes.")
@json_option
@pass_invocation
def check(
    invocation: Invocation,
    folder: Path | None,
    submissions: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Check a pack's files; exit 1 if anything is wrong.

    DIR defaults to every installed pack.
    """
    from studyattn.packs.check import examine_pack
    from studyattn.packs.locate import installed_packs

    folders = [folder] if folder is not None else installed_packs(invocation.home)
    reports = [examine_pack(each, _tell, submissions) for each in folders]
    findings = [finding for report in reports for finding in report.findings]
    if as_json:
        emit(
            [
                {"file": each.place.file, "line": each.place.line, "message": each.message}
                for each in findings
            ]
        )
    else:
        for finding in findings:
            click.echo(str(finding))
        for report in reports:
            _print_figure("mutants, starters and solutions", report.figure, verbose=verbose)
            if submissions is not None:
                _print_figure("whole submissions", report.corpus, verbose=verbose)
        if not findings:
            click.echo("No problems found.")
    if findings:
        click.get_current_context().exit(1)


def _print_figure(of: str, figure: Figure, *, verbose: bool) -> None:
    if verbose:
        for misnamed in figure.misnamed:
            click.echo(f"  {misnamed}")
    click.echo(f"{of}: {figure}")


def _tell(part: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"checking {part} …", err=True)
