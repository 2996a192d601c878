"""The checks of `parameter-count`."""

from studyattn.attention import STEPS, attention_parameters
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded, Space

from ...conditions import by_keyword
from ...misconceptions import counting


def ask(draw: Draw, *, layers: int | None = 1, largest: int = 0, **sizes: int) -> Call:
    """The sizes given, or sizes drawn up to `largest`.

    With `layers` None the default is used.
    """
    if largest:
        drawn = draw.generator.integers(2, (largest, 50, largest, 50))
        return Call("attention_parameters", tuple(int(number) for number in drawn))
    arguments = (sizes["d_model"], sizes["h"], sizes["d"])
    return Call("attention_parameters", arguments if layers is None else (*arguments, layers))


drill = Drill(
    id="parameter-count",
    reference={"attention_parameters": attention_parameters},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "stream": {
                    "heads together as wide as the stream": {"d_model": 512},
                    "a narrow stream": {"d_model": 32},
                    "a stream of one feature": {"d_model": 1},
                    "a stream of odd width": {"d_model": 77},
                },
                "heads": {
                    "eight heads": {"h": 8},
                    "one head": {"h": 1},
                    "an odd number of heads": {"h": 7},
                },
                "width": {
                    "64 features": {"d": 64},
                    "one feature": {"d": 1},
                    "an odd number of features": {"d": 15},
                },
                "layers": {
                    "several layers": {"layers": 12},
                    "one layer": {"layers": 1},
                    "without the number of layers": {"layers": None},
                    "no layer": {"layers": 0},
                },
                "passed": by_keyword("num_layers"),
            },
            (
                Excluded(
                    "an argument that is not passed has no keyword",
                    layers="without the number of layers",
                    passed="num_layers by keyword",
                ),
            ),
        ),
    ),
    cases=(
        case("GPT-3", d_model=12288, h=96, d=128, layers=96, keywords=("num_layers",)),
        case("a result beyond 64 bits", d_model=10_000_000_019, h=7, d=200_003, layers=1009),
        case("all by keyword", d_model=24, h=3, d=8, layers=2, keywords=("d_model",)),
        case("drawn", largest=100),
        case("drawn, larger", largest=10_000),
        case("the same call twice", twice=True, d_model=768, h=12, d=64, layers=12),
    ),
    small=(
        {"d_model": 4, "h": 1, "d": 2, "layers": 1},
        {"d_model": 4, "h": 3, "d": 2, "layers": 1},
        {"d_model": 4, "h": 3, "d": 2, "layers": 5},
    ),
    misconceptions=counting.PARAMETERS,
    told_as={"d": "d_head", "h": "num_heads", "layers": "num_layers", "largest": ""},
    axes=(),
)
