"""What an author of a pack gets wrong is said once, in plain words, with file and line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from studyattn.errors import PackError
from studyattn.packs.check import computed, drills, examine_pack
from studyattn.packs.read import read_pack
from tests.packs.conftest import change

LAYERNORM = Path(__file__).parent / "layernorm"
CHECKS = "drills/normalise-tokens/checks.py"
VARIANCE = "concepts/variance.md"


@pytest.fixture
def layernorm(tmp_path: Path) -> Path:
    """A copy of the pack that a test may spoil."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(LAYERNORM, tmp_path / "layernorm", ignore=ignored))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('{"deviation": lambda variance', '{"deviatoin": lambda variance', 85, "neither a step"),
        ("eps: float, *, steps: Steps = STEPS)", "eps: float)", 54, "does not take them"),
        ("STEPS = Steps()", "STEPS = Steps(1, 2, 3, 4)", 39, "cannot be loaded: TypeError"),
        ("drill = Drill(", "drll = Drill(", 1, "define no `drill`"),
        ('case("one token", tokens=1, features=8, eps=1e-5)', '"one token"', 54, "not a Case"),
        ("misconceptions=(\n", 'misconceptions=("x",\n', 54, "not a Misconception"),
        ('{"layer_norm": layer_norm}', '"layer_norm"', 54, "not a mapping of names"),
        ("np.sqrt(variance) + eps},),", "np.sqrt(variance) + eps}),", 85, "with its comma"),
        ("lambda variance, eps: np.sqrt(variance) + eps}", "3}", 85, "with 3"),
        ('concept="variance"', 'concept="varience"', 72, "which the pack does not have"),
    ],
)
def test_a_mistake_in_the_checks_is_said_once_at_its_line(
    old: str, new: str, line: int, message: str, layernorm: Path
) -> None:
    change(layernorm / CHECKS, old, new)
    (finding,) = drills.check(read_pack(layernorm).pack)
    assert (finding.place.file, finding.place.line) == (str(layernorm / CHECKS), line)
    assert message in finding.message


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("sharp=True)", "sharp=True, blunt=1)", 50, "TypeError"),
        ('    return Call("layer_norm"', '    Call("layer_norm"', 54, "`ask` returned None"),
        ("x - steps.mean(x)", "x - steps.means(x)", 44, "AttributeError"),
        ("np.sqrt(variance) + eps}", "np.root(variance) + eps}", 90, "AttributeError"),
        ('{"tokens": 1, "features": 2, "eps": 1.0}', '{"tokens": 1}', 54, "TypeError"),
    ],
)
def test_what_fails_only_when_it_is_asked_has_its_line_too(
    old: str, new: str, line: int, message: str, layernorm: Path
) -> None:
    change(layernorm / CHECKS, old, new)
    (finding,) = examine_pack(layernorm).findings
    assert (finding.place.file, finding.place.line) == (str(layernorm / CHECKS), line)
    assert message in finding.message


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("solution.py", "x.mean(axis=-1", "x.mean(axis=0"),
        ("solution.py", "centred = x", "centred = = x"),
    ],
)
def test_a_submission_of_the_pack_that_is_misjudged_is_named(
    name: str, old: str, new: str, layernorm: Path
) -> None:
    change(layernorm / "drills/normalise-tokens" / name, old, new)
    (finding,) = examine_pack(layernorm).findings
    assert finding.place.file == str(layernorm / "drills/normalise-tokens" / name)
    assert finding.message.startswith("solution.py: right but refused")


def test_a_computed_card_without_its_file_is_named_where_it_stands(layernorm: Path) -> None:
    (layernorm / "computed.py").unlink()
    (finding,) = computed.check(read_pack(layernorm).pack)
    assert (finding.place.file, finding.place.line) == (str(layernorm / VARIANCE), 35)
    assert "computed.py, which does not exist" in finding.message


def test_a_function_that_returns_no_card_is_named_at_its_definition(layernorm: Path) -> None:
    change(layernorm / "computed.py", "    return Computed(", "    Computed(")
    (finding,) = computed.check(read_pack(layernorm).pack)
    assert (finding.place.file, finding.place.line) == (str(layernorm / "computed.py"), 9)
    assert "it returns None, not a Computed" in finding.message


def test_a_manifest_that_is_no_toml_has_its_line(layernorm: Path) -> None:
    change(layernorm / "pack.toml", '"1.0.0"', "1.0.0")
    with pytest.raises(PackError, match="is not TOML") as refused:
        read_pack(layernorm)
    assert refused.value.where == f"{layernorm / 'pack.toml'}:3"
