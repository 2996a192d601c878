"""The built-in packs keep every rule of the format.

What its drills are worth is measured with grading, in tests/grading.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest
import torch

from studyattn.bundled import content_dir
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.misconception import Sign
from studyattn.packs.briefs import read_brief
from studyattn.packs.card_kinds import COMPUTED, KINDS
from studyattn.packs.check import (
    Finding,
    bugs,
    computed,
    contradictions,
    drills,
    figures,
    lessons,
    prompts,
    run_examples,
    statements,
    structure,
    terms,
    wording,
)
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack, read_pack

FOLDER = content_dir() / "attention"
FOLDERS = sorted(manifest.parent for manifest in content_dir().glob("*/pack.toml"))
BRIEFS = [brief.parent for folder in FOLDERS for brief in sorted(folder.glob("drills/*/brief.md"))]

of_each_pack = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@pytest.mark.parametrize(
    "part",
    [
        structure.check,
        lessons.check,
        terms.check,
        wording.check,
        prompts.check,
        contradictions.check,
        computed.check,
        figures.check,
        run_examples.check,
        statements.check,
        bugs.check,
        drills.check,
    ],
)
@of_each_pack
def test_the_pack_is_sound(folder: Path, part: Callable[[Pack], Iterator[Finding]]) -> None:
    reading = read_pack(folder)
    assert reading.problems == ()
    assert [str(finding) for finding in part(reading.pack)] == []


def test_a_first_start_has_something_of_every_kind() -> None:
    pack = load_pack(FOLDER)
    assert {"scaled-dot-product", "masking", "multi-head"} <= set(pack.concepts)
    asked = [*pack.items(), *pack.explanations()]
    assert {item.card.kind for item in asked if item.card} == set(KINDS.values())
    assert all(concept.key_points for concept in pack.concepts.values())
    assert any(card.examples for card in pack.cards())
    assert sum(1 for item in pack.items() if item.card is None) >= 1


@of_each_pack
def test_every_concept_has_something_to_work_out(folder: Path) -> None:
    pack = load_pack(folder)
    written = {brief.concept for brief in pack.drills.values()}
    read = {bug.concept for bug in pack.bugs.values()}
    for concept in pack.concepts.values():
        drawn = any(card.kind is COMPUTED for card in concept.cards)
        assert drawn or concept.drills or concept.slug in written | read, concept.slug


@of_each_pack
def test_what_any_drill_may_show_sends_to_the_concept_of_the_drill(folder: Path) -> None:
    """Who overwrites the input of a softmax has nothing to learn about attention from that."""
    for brief in load_pack(folder).drills.values():
        found = {
            each.id: each.concept
            for each in load_drill(brief.folder).misconceptions
            if each.sign not in {None, Sign.COST}
        }
        to_review = {brief.concept, "numerical-stability"}
        assert set(found.values()) <= to_review, (brief.id, found)


_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:e[+-]\d+)?")
_EXAMPLE = re.compile(r"## Example\n\n```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("folder", BRIEFS, ids=lambda folder: folder.name)
def test_the_example_of_a_brief_prints_its_result_in_each_library(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers are compared to one of the last digit that is written, brackets and words are not."""
    file = folder / "brief.md"
    brief, _ = read_brief(file.read_text(), file)
    np.set_printoptions(precision=4, suppress=True)
    for backend in brief.backends:
        example = _EXAMPLE.search(brief.text_in(backend))
        assert example is not None
        space: dict[str, object] = {"np": np, "torch": torch}
        exec(brief.solution(backend).read_text() + example[1], space)  # the pack's own
        printed = [float(each) for each in _NUMBER.findall(capsys.readouterr().out)]
        wanted = [float(each) for each in _NUMBER.findall(example[2])]
        assert printed == pytest.approx(wanted, abs=1.1e-4), backend


@pytest.mark.parametrize("name", ["attention", "serving"])
def test_the_last_hint_is_not_the_solution(name: str) -> None:
    pack = load_pack(content_dir() / name)
    for drill in pack.drills.values():
        hint = [tokens_of(each) for each in re.findall(r"`([^`]+)`", drill.hints[-1])]
        for backend in drill.backends:
            functions = ast.parse(drill.solution(backend).read_text("utf-8")).body
            own = [each for each in functions if isinstance(each, ast.FunctionDef | ast.ClassDef)]
            lines = [ast.unparse(line) for each in own for line in each.body[1:]]
            code = tokens_of("\n".join(lines))
            given = set[int]()
            for part in hint:
                matcher = SequenceMatcher(None, code, part, autojunk=False)
                for found in matcher.get_matching_blocks():
                    given |= set(range(found.a, found.a + found.size)) if found.size > 2 else set()
            assert len(given) <= 0.35 * len(code), f"{drill.id}, {backend}"


def tokens_of(code: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", code)
