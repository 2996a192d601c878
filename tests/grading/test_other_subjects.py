"""Drills of other subjects: the grader knows a drill's reference and steps from its pack alone.

And what is wrong with such a drill is told with the pack's file and line, whenever it shows.
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import numpy as np
import pytest

import studyattn
from studyattn.errors import DrillError
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade
from studyattn.grading.misconception import pairs, singles
from studyattn.grading.mutation_report import ReferenceCarrier, check_drills, check_mutants
from studyattn.grading.submission import Backend, Submission

SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())

HEAD = """\
import numpy as np
from dataclasses import dataclass
from functools import partial

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.misconception import Misconception


def ask(draw, *, n, d):
    return Call("layer_norm", (draw.array(n, d), draw.array(d), draw.array(d)))


mistake = partial(Misconception, title="A mistake.", formula="x", concept="layer-norm")
make = partial(
    Drill,
    id="layer-norm",
    ask=ask,
    cases=(case("float64", dtype="float64", n=3, d=4), case("one", n=1, d=5)),
    small=({"n": 1, "d": 2},),
    axes=("token", "feature"),
)
"""

WHOLE = """
def layer_norm(x, gain, bias):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * gain + bias


def without_mean(x, gain, bias):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5) * gain + bias


def without_bias(x, gain, bias):
    return layer_norm(x, gain, 0.0 * bias)


drill = make(
    reference={"layer_norm": layer_norm},
    misconceptions=(
        mistake("mean-kept", ways=({"layer_norm": without_mean},)),
        mistake("no-bias", ways=({"layer_norm": without_bias},)),
    ),
)
"""

STEPS = """
def centre(x):
    return x - x.mean(axis=-1, keepdims=True)


def rescale(x):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)


@dataclass(frozen=True)
class Steps:
    centre: object = centre
    rescale: object = rescale


def layer_norm(x, gain, bias, *, steps=Steps()):
    return steps.rescale(steps.centre(x)) * gain + bias


def bias_twice(x, gain, bias):
    return layer_norm(x, gain, 2 * bias)


drill = make(
    reference={"layer_norm": layer_norm},
    misconceptions=(
        mistake("mean-kept", ways=({"centre": lambda x: x},)),
        mistake("not-rescaled", ways=({"rescale": lambda x: x},)),
        mistake("bias-twice", ways=({"layer_norm": bias_twice},)),
    ),
    steps=Steps(),
)
"""


def written(tmp_path: Path, body: str, head: str = HEAD) -> Path:
    folder = tmp_path / "pack" / "drills" / "layer-norm"
    folder.mkdir(parents=True)
    (folder / "checks.py").write_text(head + textwrap.dedent(body))
    return folder


def line(folder: Path, text: str) -> str:
    """Where `text` first stands in the drill's checks."""
    checks = folder / "checks.py"
    lines = checks.read_text().splitlines()
    return f"{checks}:{next(i for i, each in enumerate(lines, 1) if text in each)}"


@pytest.mark.parametrize("body", [WHOLE, STEPS], ids=["whole", "dataclass"])
def test_a_drill_brings_its_own_reference_and_steps(tmp_path: Path, body: str) -> None:
    drill = load_drill(written(tmp_path, body))
    assert grade(drill, SUBMISSION, ReferenceCarrier(drill), seed=1).passed
    for mistake in singles(drill.misconceptions):
        report = grade(drill, SUBMISSION, ReferenceCarrier(drill, mistake.change()), seed=1)
        assert not report.passed
        assert report.diagnosis[0].misconceptions == mistake.ids
    figure = check_mutants(drill, seed=1)
    assert figure.good
    assert figure.rejected.tried == len(drill.misconceptions)


def test_two_mistakes_in_steps_are_named_together(tmp_path: Path) -> None:
    drill = load_drill(written(tmp_path, STEPS))
    both = next(pair for pair in pairs(drill.misconceptions))
    assert set(both.ids) == {"mean-kept", "not-rescaled"}
    report = grade(drill, SUBMISSION, ReferenceCarrier(drill, both.change()), seed=1)
    assert set(report.diagnosis[0].misconceptions) == set(both.ids)


def test_a_changed_entry_may_take_the_steps_too(tmp_path: Path) -> None:
    body = STEPS.replace(
        "def bias_twice(x, gain, bias):\n    return layer_norm(x, gain, 2 * bias)",
        "def bias_twice(x, gain, bias, *, steps):\n    return steps.centre(x) * gain",
    )
    drill = load_drill(written(tmp_path, body))
    (*_, twice) = drill.misconceptions
    wrong = drill.functions(twice.ways[0])  # type: ignore[arg-type]  # no function that makes one
    x = np.array([[1.0, 3.0]])
    assert wrong["layer_norm"](x, np.ones(2), np.ones(2)).tolist() == [[-1.0, 1.0]]


@pytest.mark.parametrize(
    ("change", "at", "message"),
    [
        (
            ('"centre": lambda x: x', '"center": lambda x: x'),
            'mistake("mean-kept"',
            (
                "the misconception 'mean-kept' changes 'center', which is neither a step nor an"
                " entry of 'layer-norm': it has steps and the entries layer_norm."
                " Did you mean 'centre'?"
            ),
        ),
        (
            ('"centre": lambda x: x', '"centre": 3'),
            'mistake("mean-kept"',
            "the misconception 'mean-kept' replaces 'centre' with 3. Put a function there.",
        ),
        (
            (", *, steps=Steps()):\n    return steps.rescale(steps.", "):\n    return rescale("),
            "drill = make(",
            (
                "the drill 'layer-norm' has steps, but its reference does not take them."
                " Give layer_norm the keyword argument `steps`, or leave the steps out."
            ),
        ),
        (
            ("    steps=Steps(),\n)", "    steps=[centre],\n)"),
            "drill = make(",
            "steps are a frozen dataclass of functions, not [<function",
        ),
        (
            ("    steps=Steps(),\n)", '    steps=Steps(),\n    exponents="scores",\n)'),
            "drill = make(",
            "`exponents` names 'scores', which is not a step of the reference",
        ),
        (
            ('{"layer_norm": layer_norm}', '{"layer_norm": 3}'),
            "drill = make(",
            "the reference of 'layer_norm' is 3, not a function or a class",
        ),
        (
            ("def centre(x):", "def centre(x:"),
            "def centre(x:",
            "the checks cannot be loaded: SyntaxError: '(' was never closed",
        ),
        (
            ("def centre(x):", "1 / 0\n\n\ndef centre(x):"),
            "1 / 0",
            "the checks cannot be loaded: ZeroDivisionError: division by zero",
        ),
        (
            ("def centre(x):", "raise SystemExit(3)\n\n\ndef centre(x):"),
            "raise SystemExit",
            "the checks cannot be loaded: SystemExit: 3",
        ),
    ],
)
def test_a_drill_that_cannot_be_loaded_names_its_line(
    tmp_path: Path, change: tuple[str, str], at: str, message: str
) -> None:
    body = STEPS.replace(*change)
    assert body != STEPS
    folder = written(tmp_path, body)
    with pytest.raises(DrillError) as caught:
        load_drill(folder)
    assert message in str(caught.value)
    assert caught.value.where == line(folder, at)


@pytest.mark.parametrize(
    ("change", "at", "message"),
    [
        (
            ('return Call("layer_norm", (', 'return Call("layer_norm", (draw.nothing, '),
            "draw.nothing",
            "AttributeError: 'Draw' object has no attribute 'nothing'",
        ),
        (
            ('return Call("layer_norm", (', 'return ("layer_norm", ('),
            "",
            "TypeError: `ask` returned",
        ),
        (('Call("layer_norm"', 'Call("layernorm"'), "", "LookupError: `ask` calls ['layernorm']"),
        (("draw.array(d))", "draw.array(d + 1))"), "return steps.rescale(", "ValueError: operands"),
        ((", draw.array(d))", ")"), "", "TypeError: layer_norm() missing 1 required positional"),
        (("def centre(x):", "def centre(x, y):"), "return steps.rescale(", "TypeError: centre()"),
    ],
)
def test_a_drill_that_cannot_be_asked_names_its_line(
    tmp_path: Path, change: tuple[str, str], at: str, message: str
) -> None:
    head, body = HEAD.replace(*change), STEPS.replace(*change)
    assert (head, body) != (HEAD, STEPS)
    folder = written(tmp_path, body, head)
    drill = load_drill(folder)
    with pytest.raises(DrillError) as caught:
        grade(drill, SUBMISSION, ReferenceCarrier(drill), seed=1)
    assert f"the drill 'layer-norm' cannot be tested under 'small numbers': {message}" in str(
        caught.value
    )
    assert caught.value.where == (line(folder, at) if at else drill.place)
    # The check of a pack tells of it and goes on.
    (figures,) = check_drills([folder])
    assert figures.error is not None
    assert figures.error.where == caught.value.where


def test_a_misconception_that_fails_names_its_line(tmp_path: Path) -> None:
    body = STEPS.replace('"rescale": lambda x: x', '"rescale": lambda x: x.nothing')
    folder = written(tmp_path, body)
    drill = load_drill(folder)
    wrong = next(each for each in drill.misconceptions if each.id == "bias-twice").ways[0]
    with pytest.raises(DrillError, match="a misconception of 'layer-norm' fails: Attrib") as caught:
        grade(drill, SUBMISSION, ReferenceCarrier(drill, wrong), seed=1)
    assert caught.value.where == line(folder, "x.nothing")


def test_grading_imports_of_the_program_its_errors_and_what_is_installed() -> None:
    package = Path(studyattn.__file__).parent
    for module in (package / "grading").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            for name in names:
                if name.partition(".")[0] == "studyattn":
                    known = ("studyattn.grading", "studyattn.errors", "studyattn.extras")
                    assert name.startswith(known), module
