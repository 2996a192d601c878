"""A formula that gives a drill away is a hint; on repetition every formula is."""

from __future__ import annotations

import pytest

from studyattn.bundled import content_dir
from studyattn.packs.briefs import read_brief
from studyattn.packs.model import DrillBrief


def brief_of(drill: str) -> DrillBrief:
    file = content_dir() / "attention" / "drills" / drill / "brief.md"
    return read_brief(file.read_text("utf-8"), file)[0]


@pytest.mark.parametrize("drill", ["attention-backward", "parameter-count"])
def test_a_formula_that_gives_the_drill_away_is_its_second_hint(drill: str) -> None:
    brief = brief_of(drill)
    assert "## Formula" not in brief.text
    assert len(brief.hints) == 4
    assert brief.hints[1] == brief.formula


def test_on_repetition_every_formula_is_a_hint() -> None:
    first = brief_of("attention")
    assert "## Formula" in first.text
    again = first.with_formula_as_hint()
    assert "## Formula" not in again.text
    assert again.text.startswith("## Task")
    assert "## Shapes" in again.text
    assert again.hints == (first.hints[0], first.formula, *first.hints[1:])
    assert again.with_formula_as_hint() == again
