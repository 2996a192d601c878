"""`model runs`: what the concepts' pages say of a real model, measured again."""

from __future__ import annotations

from pathlib import Path

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, examples, json_option, pass_invocation, say


@click.command(epilog=examples("studyattn model runs", "studyattn model runs apple moles"))
@click.argument("names", nargs=-1, metavar="[RUN]...")
@click.option(
    "--write",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PACK",
    help="Measure and record the runs of the pack in this folder.",
)
@json_option
@pass_invocation
def runs(invocation: Invocation, names: tuple[str, ...], write: Path | None, as_json: bool) -> None:
    """Remeasure the real-model results on concept pages.

    Exit status 1 if a result differs from the recorded one.
    """
    from studyattn.lm.llama.kept import Models, check_installed, model_cache
    from studyattn.study.practice import model_runs, real_model

    recorded = model_runs.recorded_runs(invocation.home, write, names)
    check_installed()
    models = Models(model_cache())
    kept = models.in_use()
    with real_model.server_of(models, kept) as server:
        measuring = model_runs.measure_all(
            server, models.place(kept), invocation.home, recorded.values()
        )
        now = {}
        for each in measuring:
            now[each.id] = each
            if not as_json:
                asked = recorded[each.id].asked
                same = model_runs.agrees(asked, each.asked)
                told = "as recorded" if same else "differs from the recorded result"
                say(f"{each.id}: {told if asked.is_answered else 'not recorded before'}")
                for line in model_runs.lines_of(each.asked):
                    say(f"  {line}", hang=4)
    if as_json:
        emit(list(now.values()))
    if write is not None:
        model_runs.record(write, kept.name, now)
    elif not all(model_runs.agrees(recorded[name].asked, now[name].asked) for name in now):
        click.get_current_context().exit(1)
