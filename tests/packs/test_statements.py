"""A statement that a pack proves by code is found when it is wrong, changed or not proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.packs.check import figures, statements
from studyattn.packs.fences import without_checks
from studyattn.packs.read import read_pack
from tests.packs.conftest import TINY, change

LOGITS = "concepts/logits.md"
ENTROPY = "concepts/cross-entropy.md"
STATEMENT = "The larger the logit, the more the input looks like that class."
CHECK = """

```python check
# The larger the logit, the more
# the input looks like that class.
import numpy as np

z = np.array([1.0, 3.0, 2.0])
assert z.argsort().tolist() == np.exp(z).argsort().tolist()
```

A logit may be negative."""


@pytest.fixture
def checked(folder: Path) -> Path:
    """The tiny pack with a check below a statement of a page and one on a card."""
    change(folder / LOGITS, STATEMENT, STATEMENT + CHECK)
    return folder


def found(folder: Path) -> Iterator[tuple[str, int, str]]:
    for each in statements.check(read_pack(folder).pack):
        yield Path(each.place.file).name, each.place.line, each.message


def test_what_holds_is_no_finding(checked: Path) -> None:
    assert list(found(checked)) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        # The statement is changed, and its check is not.
        ("the more the input", "the less the input", 14, "which logits.md does not say"),
        # Both are changed alike, to what is false.
        ("== np.exp(z)", "== np.exp(-z)", 20, "fails: AssertionError"),
        ("assert z.argsort", "assert z.argsrot", 20, "AttributeError"),
        ("assert z.argsort().tolist() ==", "z.argsort().tolist() ==", 20, "asserts nothing"),
        ("assert z", "for each in ():\n    assert z", 21, "asserts nothing"),
        (
            "# The larger the logit, the more\n# the input looks like that class.\n",
            "",
            14,
            "quotes",
        ),
    ],
)
def test_what_does_not_hold_is_told_at_its_line(
    old: str, new: str, line: int, said: str, checked: Path
) -> None:
    change(checked / LOGITS, old, new)
    ((file, at, message),) = found(checked)
    assert (file, at) == ("logits.md", line)
    assert said in message


def test_a_check_is_in_no_text_that_a_learner_reads(checked: Path) -> None:
    change(checked / ENTROPY, "$-\\log 1 = 0$: no surprise.", "No surprise." + CHECK)
    reading = read_pack(checked)
    assert reading.problems == ()
    concepts = reading.pack.concepts
    assert "assert" not in concepts["logits"].body
    assert concepts["logits"].cards[0].place.line == 27
    (card,) = (each for each in concepts["cross-entropy"].cards if each.id == "entropy-zero")
    assert card.back == "No surprise.\n\nA logit may be negative."
    assert without_checks(f"a\n{CHECK}").count("\n") == f"a\n{CHECK}".count("\n")


def test_a_check_that_is_not_closed_or_cannot_be_read_is_refused(folder: Path) -> None:
    change(folder / LOGITS, STATEMENT, "```python check {#one}\nassert 1\n```\n")
    (problem,) = (each for each in read_pack(folder).problems if "logits.md" in each.where)
    assert "cannot read the example's first line: 'python check {#one}'" in problem.message
    change(folder / LOGITS, "check {#one}\nassert 1\n```\n", "check\nassert 1\n")
    (problem,) = (each for each in read_pack(folder).problems if "logits.md" in each.where)
    assert "is never closed" in problem.message


def test_a_number_that_a_check_proves_needs_no_example(folder: Path) -> None:
    change(folder / LOGITS, STATEMENT, "There are 128 of them.")
    assert len(list(figures.check(read_pack(folder).pack))) == 1
    proof = "```python check\n# 128 of them\nassert 2**7 == 128\n```\n"
    change(folder / LOGITS, "There are 128", f"{proof}\nThere are 128")
    assert list(figures.check(read_pack(folder).pack)) == []


@pytest.mark.parametrize(
    ("concept", "right", "wrong"),
    [
        ("adamw", "np.allclose(ends, ends[0], rtol=1e-3)", "np.ptp(ends) > 0.001"),
        ("alibi", "(4, 100, 1000)", "(4, 5_000, 10_000)"),
        ("alibi", "(2.0**-8, False)", "(2.0**-8, True)"),
        ("byte-pairs", "== (1, 2)", "== (7, 7)"),
        ("causal-linear-attention", "[:1]]), False", "[:1]]), True"),
        ("cost", "4 + 8, 6, 73_728", "4 + 8, 2, 24_576"),
        ("dot-product", "(0.5, 16)", "(0.5, 4)"),
        ("induction-heads", "softmax(np.array([50.0, *10", "softmax(np.array([1.0, *10"),
        ("kv-cache", "assert not np.allclose(model(second)", "assert np.allclose(model(second)"),
        ("next-token-loss", "(1 / 2 / long) - 111", "(1 / 2 / long) - 100"),
        ("next-token-loss", "isinf(np.log(np.exp(high)", "isfinite(np.log(np.exp(high)"),
        ("positional-encoding", "slowest(16) / 10000 < 0.4", "slowest(16) / 10000 > 0.9"),
        ("pytorch-attention", '"error" in outcomes', '{"error"} == outcomes'),
        ("rope", "not np.allclose(mixed_up", "np.allclose(mixed_up"),
        ("sampling", "0.5)[1] < 0.4", "0.5)[1] > 0.4"),
        ("weighted-sum", "== 2", "!= 2"),
        ("why-not-recurrence", "[1, 2, 9]", "[0, 1, 8]"),
    ],
)
def test_what_the_built_in_pack_once_taught_wrongly_does_not_hold(
    concept: str, right: str, wrong: str, tmp_path: Path
) -> None:
    file = tmp_path / f"{concept}.md"
    file.write_text((content_dir() / f"attention/concepts/{concept}.md").read_text("utf-8"))
    change(file, right, wrong)
    alone = replace(read_pack(TINY).pack, folder=tmp_path)
    (message,) = (each.message for each in statements.check(alone))
    assert "fails: AssertionError" in message
