"""How `parameter-count` is checked."""

from studyattn.attention import STEPS, attention_parameters
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import counting


def ask(
    draw: Draw, *, layers: int | None = 1, largest: int = 0, named: bool = False, **sizes: int
) -> Call:
    """The sizes given, or sizes drawn up to `largest`.

    With `layers` None the default is used; with `named` they are given by name.
    """
    if largest:
        drawn = draw.generator.integers(2, (largest, 50, largest, 50))
        return Call("attention_parameters", tuple(int(number) for number in drawn))
    arguments = (sizes["d_model"], sizes["h"], sizes["d"])
    if named:
        return Call("attention_parameters", arguments, {"num_layers": layers})
    return Call("attention_parameters", arguments if layers is None else (*arguments, layers))


drill = Drill(
    id="parameter-count",
    reference={"attention_parameters": attention_parameters},
    steps=STEPS,
    ask=ask,
    cases=(
        case("GPT-3", d_model=12288, h=96, d=128, layers=96, named=True),
        case("one layer", d_model=512, h=8, d=64),
        case("without the number of layers", d_model=48, h=4, d=16, layers=None),
        case("heads as wide as the stream", d_model=64, h=1, d=64, layers=3),
        case("heads together wider than the stream", d_model=32, h=8, d=16, layers=5),
        case("more than 64 bits can count", d_model=10_000_000_019, h=7, d=200_003, layers=1009),
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
    axes=(),
)
