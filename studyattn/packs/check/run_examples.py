"""Check that every runnable example does what the pack says: each is run in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator

from studyattn.grading.run.script import ScriptRunner
from studyattn.packs.check.finding import Finding
from studyattn.packs.examples import run_example
from studyattn.packs.model import Pack


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part. Raises GradingError when the sandbox cannot be had."""
    with ScriptRunner() as runner:
        for example in pack.examples():
            run = run_example(example, runner)
            if run.error:
                yield Finding(
                    example.place.below(run.line or 0), f"the example {example.id}: {run.error}"
                )
