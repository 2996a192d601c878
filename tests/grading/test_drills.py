"""Every drill, in real workers: starters fail, solutions pass, the corpus is judged as labelled.

Of the corpus another share is graded each day, so that all of it was after `SHARES` days;
`--submissions all` grades the whole, as `make corpus` does with a worker for each submission, at
the same seed. That other seeds give the same verdicts is measured by `python -m benchmarks.seeds`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.grading.drawn_case import draw_case, small_cases
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import Depth
from studyattn.grading.mutation_report import CheckRun, check_files, check_probes, corpus
from studyattn.grading.oracle import carry_out, leaves
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend
from studyattn.packs.check.drills import SEED
from tests.corpus import submissions
from tests.grading.shared_worker import (
    SharedRun,
    SharedWorker,
    check_chosen,
    labelled,
    shared_carriers,
)

Carriers = tuple[Mapping[str, SharedWorker], Mapping[str, Runner]]

PARTS = ("right", "wrong")
SHARES = 16

NAMED, NAMED_IN_PAIRS = 0.95, 0.8
"""Shares of one drill's submissions; `pack check` holds the whole corpus to higher ones."""


of_each_drill = pytest.mark.parametrize(
    "folder",
    [folder for pack in sorted(content_dir().iterdir()) for folder in drill_folders(pack)],
    ids=lambda folder: folder.name,
)


@pytest.fixture(autouse=True)
def idle_machine() -> None:
    """Leave the machine as busy as it is: right code may need the longer time."""


@pytest.fixture(scope="module")
def carriers() -> Iterator[Carriers]:
    with shared_carriers() as both:
        yield both


@of_each_drill
def test_a_reference_answers_narrow_numbers_in_their_own_type(folder: Path) -> None:
    """What overflows in a submission has to overflow in the reference with its mistake."""
    drill = load_drill(folder)
    question = draw_case(drill, small_cases(drill)[0], (SEED,))
    if any(given.dtype == "float32" for given in question.program.arrays()):
        answers = leaves(carry_out(question.narrow, drill.functions()))
        assert not [
            place for *place, value in answers if str(getattr(value, "dtype", "")) == "float64"
        ]


@of_each_drill
def test_a_drill_asks_under_every_condition(folder: Path) -> None:
    drill = load_drill(folder)
    figure = check_probes(drill, (folder / "brief.md").read_text("utf-8"), SEED)
    assert figure.probes.right == figure.probes.tried, figure.problems
    assert figure.probes.tried > 0 or folder.name == "parameter-count"  # it takes no arrays


def test_a_loss_of_a_single_text_has_a_target_that_counts() -> None:
    """Beside others a text may have none; drawn with another size, it may be left alone."""
    drill = load_drill(content_dir() / "attention" / "drills" / "next-token-loss")
    drawn = [drill.case_anywhere(np.random.default_rng(seed)) for seed in range(300)]
    alone = [
        case
        for case in drawn
        if case.sizes.get("counted") == "others" and math.prod(case.sizes["batch"]) == 1
    ]
    assert alone
    for case in alone:
        assert all(np.isfinite(leaf.values) for leaf in draw_case(drill, case, (SEED,)).expected)


@of_each_drill
def test_a_drill_judges_rightly(
    folder: Path, carriers: Carriers, pytestconfig: pytest.Config
) -> None:
    trial = SharedRun(load_drill(folder), *carriers, SEED)
    labels = [path for part in PARTS for path in corpus(submissions(folder.name) / part)]
    step = 1 if pytestconfig.getoption("--submissions") == "all" else SHARES
    chosen = labels[datetime.now(UTC).toordinal() % step :: step]
    figure = check_files(folder, trial) + check_chosen(chosen, trial)
    assert figure.rejected.right == figure.rejected.tried > 0, figure.problems
    assert figure.accepted.right == figure.accepted.tried > 0, figure.problems
    singles, pairs = labelled(labels)
    for count, of_all, share in (
        (figure.singles, singles, NAMED),
        (figure.pairs, pairs, NAMED_IN_PAIRS),
    ):  # those of a day may have as many without a name as all together
        assert count.tried - count.right <= of_all - int(share * of_all), figure.misnamed


def test_what_cannot_be_loaded_leaves_no_answer_to_the_next_in_its_worker(
    carriers: Carriers,
) -> None:
    folder = content_dir() / "attention" / "drills" / "softmax"
    shared, _ = carriers
    trial = CheckRun(load_drill(folder), shared, SEED)
    right = trial.submission(folder / "solution_numpy.py", Backend.NUMPY)
    assert not trial.grade(replace(right, source=b"import studyattn"), depth=Depth.VERDICT).passed
    assert trial.grade(right, depth=Depth.VERDICT).passed
