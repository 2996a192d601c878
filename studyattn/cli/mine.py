"""`drill mine`: the learner's passed code as a package."""

from __future__ import annotations

from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, opened, pass_invocation, table


@click.command(epilog=examples("studyattn drill mine", "studyattn drill mine --dir project/"))
@click.option("--dir", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option(
    "--backend",
    type=click.Choice(["torch", "numpy"]),
    help="Array library.  [default: that of the last pass]",
)
@json_option
@pass_invocation
def mine(invocation: Invocation, folder: Path | None, backend: str | None, as_json: bool) -> None:
    """Write your passed code to the package DIR/mine.

    The package runs without studyattn. DIR defaults to the folder of your drill files, where it is
    kept up to date. Exit 1 if no drill has passed.
    """
    from studyattn.study.practice.mine import PACKAGE, my_package

    with opened(invocation) as profile:
        package = my_package(profile, backend)
    path = (folder or invocation.home.drills) / PACKAGE
    if package.modules:
        package.write(path)
    if as_json:
        emit({"path": path, "backend": package.backend, "modules": package.modules})
    elif package.modules:
        click.echo(path)
        table(
            [
                (each.drill, ", ".join(each.entries), f"passed {each.passed_on}")
                for each in package.modules
            ]
        )
    else:
        click.echo(f"No drill has passed in {package.backend} yet.")
    for drill_, names in package.lacks().items():
        click.echo(f"{drill_} needs {', '.join(names)}, which has not passed.", err=True)
    if not package.modules:
        click.get_current_context().exit(1)
