"""`pack`: the content that is installed, and whether a pack keeps to its format."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, pass_invocation, table


@click.group()
def pack() -> None:
    """List packs of content, and check one."""


@pack.command("list")
@json_option
@pass_invocation
def list_(invocation: Invocation, as_json: bool) -> None:
    """The installed packs."""
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


@pack.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option(
    "--submissions",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also grade the drills' own files, mutants and the submissions in DIR, and print figures.",
)
@json_option
@pass_invocation
def check(
    invocation: Invocation, folder: Path | None, submissions: Path | None, as_json: bool
) -> None:
    """Whether the pack in DIR, or each installed one, keeps to the format; exit 1 when not."""
    from studyattn.packs.check import examine_pack
    from studyattn.packs.locate import installed_packs

    folders = [folder] if folder is not None else installed_packs(invocation.home)
    reports = [examine_pack(each, _tell) for each in folders]
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
            click.echo(str(report.figure))
        if not findings:
            click.echo("Nothing is wrong.")
    good = submissions is None or all(
        _print_figures(each, submissions, quiet=as_json) for each in folders
    )
    if findings or not good:
        click.get_current_context().exit(1)


def _print_figures(folder: Path, submissions: Path, *, quiet: bool) -> bool:
    """Grade everything there is for the pack's drills; whether the figures are good enough."""
    from studyattn.grading.selfcheck import check_pack_drills

    mutants, files = check_pack_drills(folder, submissions, _tell)
    if not quiet:
        for problem in (*mutants.problems, *files.problems):
            click.echo(f"  {problem}")
        click.echo(f"mutants: {mutants}")
        click.echo(f"whole submissions: {files}")
    return mutants.good and files.good


def _tell(part: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"checking {part} …", err=True)
