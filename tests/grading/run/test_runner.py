"""Programs carried out in real workers: layouts, dtypes, classes, gradients, changes, counts."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest

from studyattn.grading.call_plan import (
    ArrayInput,
    ArrayOutput,
    Backward,
    Call,
    CallPlan,
    Ended,
    Finished,
    Invalid,
    Layout,
    OtherOutput,
    Raised,
    Register,
)
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.conversation import ENDLESS
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, Submission
from tests.grading.asking import LIMITS, array, call, finished, run, values


@pytest.mark.parametrize("layout", list(Layout))
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (0, 3), (1, 1)])
def test_a_layout_changes_no_value(runner: Runner, layout: Layout, shape: tuple[int, ...]) -> None:
    given = array(*shape, dtype="float64", layout=layout)
    outcome = run(runner, "def f(x): return x", call(given))[0]
    assert np.array_equal(values(outcome), given.values)


def test_layouts_lie_as_they_say(runner: Runner) -> None:
    source = (
        "def f(*xs):\n"
        "    def strides(x): return tuple(x.stride()) if hasattr(x, 'stride') else "
        "tuple(s // x.itemsize for s in x.strides)\n"
        "    return tuple(strides(x) for x in xs)\n"
    )
    kinds = (Layout.CONTIGUOUS, Layout.TRANSPOSED, Layout.STRIDED, Layout.PERMUTED)
    outcome = run(runner, source, call(*(array(2, 3, 4, layout=kind) for kind in kinds)))[0]
    assert finished(outcome).registers["result"] == (
        (12, 4, 1),
        (12, 1, 3),
        (24, 8, 2),
        (4, 8, 1),
    )


def test_an_expanded_array_has_one_entry_for_all(runner: Runner) -> None:
    given = ArrayInput(np.ones((2, 3, 4)), "float32", Layout.EXPANDED)
    source = "def f(x):\n    return (x.stride() if hasattr(x, 'stride') else x.strides)[0], x + 1\n"
    returned = finished(run(runner, source, call(given))[0]).registers["result"]
    assert isinstance(returned, tuple)
    step, values = returned
    assert isinstance(values, ArrayOutput)
    assert (step, values.values.shape) == (0, (2, 3, 4))


def test_one_array_for_two_arguments_is_one_array(runner: Runner) -> None:
    x, y = array(2, 3), array(2, 3)
    source = "def f(*xs): return xs[0] is xs[1], xs[0] is xs[2]"
    returned = finished(run(runner, source, call(x, x, y))[0]).registers["result"]
    assert returned == (True, False)


def test_a_read_only_array_cannot_be_written() -> None:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        given = array(2, layout=Layout.READ_ONLY)
        outcome = run(runner, "def f(x):\n    x += 1", call(given))[0]
    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.line) == ("ValueError", 3)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "bool", "int64"])
def test_every_dtype_arrives_and_comes_back(torch_runner: Runner, dtype: str) -> None:
    given = ArrayInput(np.array([0.0, 1.0, 2.0]), dtype)
    register = finished(run(torch_runner, "def f(x): return x", call(given))[0]).registers["result"]
    assert isinstance(register, ArrayOutput)
    assert (register.dtype, register.device, register.kind) == (dtype, "cpu", "torch.Tensor")
    assert np.array_equal(register.values, given.values.astype(register.values.dtype))


def test_scalars_arrive_as_themselves(runner: Runner) -> None:
    source = "def f(*a, **k): return tuple(type(x).__name__ for x in (*a, *k.values()))"
    outcome = run(runner, source, call(1, 1.0, True, None, kwargs={"mask": None, "n": 2}))[0]
    names = ("int", "float", "bool", "NoneType", "NoneType", "int")
    assert finished(outcome).registers["result"] == names


CACHE = """
class Cache:
    def __init__(self, start): self.total = start
    def __call__(self, x):
        self.total = self.total + x
        return self.total
    def reset(self): self.total = self.total * 0
"""


def test_instances_keep_their_own_state(runner: Runner) -> None:
    one = ArrayInput(np.ones(2), "float32")
    program = CallPlan(
        steps=(
            Call("Cache", (one,), into="a"),
            Call("Cache", (one,), into="b"),
            Call("()", (one,), on="a", into="first"),
            Call("()", (one,), on="b", into="other"),
            Call("()", (one,), on="a", into="second"),
            Call("reset", on="a", into="nothing"),
            Call("()", (one,), on="a", into="after"),
            Call("()", (Register("after"),), on="b", into="last"),
        ),
        returns=("first", "other", "second", "nothing", "after", "last"),
    )
    outcome = run(runner, CACHE, program, entries=("Cache",))[0]
    names = ("first", "other", "second", "after", "last")
    assert [values(outcome, name)[0] for name in names] == [2, 2, 3, 1, 3]
    assert finished(outcome).registers["nothing"] is None


def test_a_result_is_read_before_a_later_call_can_change_it(runner: Runner) -> None:
    source = "store = xp.zeros(2)\ndef f(n):\n    store[:] = n\n    return store\n"
    program = CallPlan(
        (Call("f", (1,), into="one"), Call("f", (2,), into="two")), returns=("one", "two")
    )
    outcome = run(runner, source, program)[0]
    assert (values(outcome, "one")[0], values(outcome, "two")[0]) == (1, 2)
    assert finished(outcome).changed_results == ("one",)


OVER = CallPlan(
    (
        Call("f", (ArrayInput(np.ones(2), "float32"),), into="one"),
        Call("f", (ArrayInput(np.full(2, 3.0), "float32"),), into="two", over="one"),
    ),
    returns=("one", "two"),
)
"""Two calls whose array lies in the same memory."""


@pytest.mark.parametrize(
    ("source", "changed"), [("a", ("one",)), ("a[:]", ("one",)), ("a * 1", ())]
)
def test_a_result_in_the_memory_of_an_input_changes_with_it(
    runner: Runner, source: str, changed: tuple[str, ...]
) -> None:
    outcome = run(runner, f"def f(a): return {source}", OVER)[0]
    assert (values(outcome, "one")[0], values(outcome, "two")[0]) == (1, 3)
    assert finished(outcome).changed_results == changed
    assert finished(outcome).changed_inputs == ()


def test_what_is_kept_by_the_address_of_an_input_is_stale(runner: Runner) -> None:
    source = "kept = {}\ndef f(a): return kept.setdefault(id(a), a * 1)"
    assert values(run(runner, source, OVER)[0], "two")[0] == 1


def test_an_input_is_compared_with_what_was_written_over_it(runner: Runner) -> None:
    source = "def f(a):\n    a[0] = 7\n    return a * 1"
    assert finished(run(runner, source, OVER)[0]).changed_inputs == ("1.0",)


@pytest.mark.parametrize("kind", ["n", "(xp.ones(2) * n, n)", "[xp.zeros(2)]", "None", "xp.nan"])
def test_a_result_of_its_own_is_not_changed_by_a_later_call(runner: Runner, kind: str) -> None:
    program = CallPlan(
        (Call("f", (1,), into="one"), Call("f", (2,), into="two")), returns=("one", "two")
    )
    outcome = run(runner, f"def f(n):\n    return {kind}\n", program)[0]
    assert finished(outcome).changed_results == ()


def test_parts_of_a_tuple_can_be_handed_on(runner: Runner) -> None:
    program = CallPlan((Call("f", (3, 4), into="p"), Call("f", (Register("p", 1), 1))))
    outcome = run(runner, "def f(a, b): return (a, b)", program)[0]
    assert finished(outcome).registers["result"] == (4, 1)


def test_what_was_printed_is_told_of_the_program_that_printed_it(runner: Runner) -> None:
    source = dedent(
        """\
        import sys
        print("loaded")
        def f(n):
            print("call", n, end="")
            if n == 3:
                raise ValueError
            if n == 4:
                print(" and out", file=sys.stderr)
                sys.stdout.close()
        """
    )
    outcomes = run(runner, source, *(CallPlan((Call("f", (n,)),)) for n in (1, 2, 3, 4, 5)))
    printed = [outcome.printed for outcome in outcomes]
    assert printed[:3] == ["loaded\ncall 1", "call 2", "call 3"]
    assert sorted(printed[3].split()) == ["4", "and", "call", "out"]
    assert isinstance(outcomes[4], Raised)


def test_what_was_printed_before_the_end_is_kept(runner: Runner) -> None:
    source = "import os\ndef f(n):\n    print('here', flush=True)\n    os._exit(0)"
    assert [each.printed for each in run(runner, source, call(1), call(1))] == ["here\n"] * 2


def test_changed_inputs_are_named(runner: Runner) -> None:
    source = "def f(a, b, c=None):\n    b *= 2\n    c[...] = c\n    return a"
    program = CallPlan((Call("f", (array(2), array(3)), {"c": array(2)}),))
    assert finished(run(runner, source, program)[0]).changed_inputs == ("0.1",)


def test_a_change_from_nan_to_nan_is_none(runner: Runner) -> None:
    given = ArrayInput(np.array([np.nan, 1.0]), "float64")
    outcome = run(runner, "def f(a):\n    a[...] = a\n    return a", call(given))[0]
    assert finished(outcome).changed_inputs == ()


def test_gradients_come_in_the_order_of_the_inputs(torch_runner: Runner) -> None:
    a, b = array(2, 3, requires_grad=True), array(2, 3, requires_grad=True)
    idle, grad = array(2, requires_grad=True), array(2, 3)
    program = CallPlan(
        (Call("f", (a, array(1), idle), {"b": b}), Backward("result", grad)),
        returns=("gradients",),
    )
    outcome = run(torch_runner, "def f(a, x, idle, b): return a * b", program)[0]
    gradients = finished(outcome).registers["gradients"]
    assert isinstance(gradients, tuple)
    to_a, to_idle, to_b = gradients
    assert isinstance(to_a, ArrayOutput)
    assert isinstance(to_b, ArrayOutput)
    assert to_idle is None
    assert np.allclose(to_a.values, np.multiply(grad.values, b.values), atol=1e-6)
    assert np.allclose(to_b.values, np.multiply(grad.values, a.values), atol=1e-6)


@pytest.mark.parametrize("source", ["a.detach() * 2", "a.detach().numpy() * 2", "None"])
def test_a_result_without_a_gradient_gives_none(torch_runner: Runner, source: str) -> None:
    program = CallPlan(
        (Call("f", (array(2, requires_grad=True),)), Backward("result", array(2))),
        returns=("gradients",),
    )
    outcome = run(torch_runner, f"def f(a): return {source}", program)[0]
    assert finished(outcome).registers["gradients"] == (None,)


def test_the_gradient_of_one_part_of_a_tuple(torch_runner: Runner) -> None:
    given = ArrayInput(np.ones(2), "float32", requires_grad=True)
    program = CallPlan(
        (Call("f", (given,)), Backward("result", ArrayInput(np.ones(2), "float32"), index=1)),
        returns=("gradients",),
    )
    outcome = run(torch_runner, "def f(a): return a, 3 * a", program)[0]
    gradients = finished(outcome).registers["gradients"]
    assert isinstance(gradients, tuple)
    assert isinstance(gradients[0], ArrayOutput)
    assert gradients[0].values.tolist() == [3, 3]


def test_a_result_that_is_too_large_is_described(runner: Runner) -> None:
    program = CallPlan((Call("f"),), max_elements=10)
    register = finished(run(runner, "def f(): return xp.zeros((4, 3))", program)[0]).registers
    assert isinstance(register["result"], OtherOutput)
    assert "(4, 3)" in register["result"].description


def test_a_named_tuple_and_a_list_are_tuples(runner: Runner) -> None:
    source = (
        "import collections\nP = collections.namedtuple('P', 'a b')\n"
        "def f(): return [P(1, 2), [3, 4.5]]\n"
    )
    assert finished(run(runner, source, call())[0]).registers["result"] == ((1, 2), (3, 4.5))


def test_a_program_that_raises_does_not_end_the_next(runner: Runner) -> None:
    source = "def f(x):\n    if x: raise KeyError(x)\n    return 7\n"
    raised, other = run(runner, source, call(1), call(0))
    assert isinstance(raised, Raised)
    assert (raised.type_name, raised.line, raised.step) == ("KeyError", 3, 0)
    assert finished(other).registers["result"] == 7


def test_a_program_that_ends_the_worker_ends_the_rest(runner: Runner) -> None:
    source = "import os\ndef f(x):\n    if x: os._exit(0)\n    return 7\n"
    first, second, third = run(runner, source, call(0), call(1), call(0))
    assert finished(first).registers["result"] == 7
    assert isinstance(second, Ended)
    assert second == third


def test_all_programs_share_one_clock() -> None:
    with Runner(Backend.NUMPY, limits=ResourceLimits(seconds=0.5)) as runner:
        source = "import time\ndef f(): time.sleep(0.2)"
        outcomes = run(runner, source, *[call()] * 5)
    assert [type(outcome) for outcome in outcomes][::4] == [Finished, Ended]


def test_a_worker_that_is_given_no_core_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six times as much, once: what sleeps for ever is still ended."""
    monkeypatch.setattr("os.getloadavg", lambda: (1000.0, 0.0, 0.0))
    with Runner(Backend.NUMPY, limits=ResourceLimits(seconds=0.5)) as runner:
        source = "import time\ndef f(seconds): time.sleep(seconds)"
        slow, endless = run(runner, source, call(0.8), call(60.0))
    assert isinstance(slow, Finished)
    assert endless == Ended("timeout", f"{ENDLESS}: it did not finish within 3 s")


def test_arity_is_checked_before_anything_is_called(runner: Runner) -> None:
    outcome = run(runner, "def f(q, k): return q", call(1, 2, 3))[0]
    assert isinstance(outcome, Invalid)
    assert outcome.line == 2
    assert "3 arguments" in outcome.message


def test_a_missing_entry_is_named(runner: Runner) -> None:
    outcome = run(runner, "def g(): pass", call())[0]
    assert isinstance(outcome, Invalid)
    assert "`f`" in outcome.message


def test_an_import_that_is_not_there_is_answered_with_what_to_do(runner: Runner) -> None:
    outcome = run(runner, "from softmax_of_mine import softmax\ndef f(): pass", call())[0]
    assert isinstance(outcome, Invalid)
    assert outcome.line == 2
    assert "`softmax_of_mine`" in outcome.message
    assert "it was graded as text, without a folder" in outcome.message


@pytest.mark.parametrize(
    ("code", "how", "told"),
    [
        ("return f(n - 1) + f(n - 2) if n > 1 else n", "timeout", "too slow, or never returns"),
        ("while True: pass", "timeout", "too slow, or never returns"),
        ("return 7 ** (10**9)", "timeout", "too slow, or never returns"),
        ("return sorted([n + 1], key=f)", "crashed", "calls itself without end"),
        ("return [0] * (1 << 33)", "memory", "it needed more than 512 MiB"),
    ],
)
def test_what_runs_away_is_told_as_that(code: str, how: str, told: str) -> None:
    with Runner(Backend.NUMPY, limits=replace(LIMITS, seconds=1.0)) as runner:
        source = f"import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    {code}\n"
        outcome = run(runner, source, call(90))[0]
    assert isinstance(outcome, Ended), outcome
    assert outcome.how == how
    assert told in outcome.detail


def test_the_limit_of_cpu_time_is_told_when_it_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the judge sees the wire close before its supervisor sees the end."""
    monkeypatch.setattr("os.getloadavg", lambda: (1000.0, 0.0, 0.0))
    monkeypatch.setattr(ResourceLimits, "seconds_when_busy", 60.0)
    with Runner(Backend.NUMPY, limits=replace(LIMITS, seconds=0.1)) as runner:
        outcome = run(runner, "def f():\n    while True: pass", call())[0]
        assert outcome == Ended(
            "timeout", "it is too slow, or never returns: it used 2 s of CPU time"
        )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("return None", "`f` returned None, expected a tuple of 2 or more"),
        ("return (x,)", "`f` returned a tuple or list of 1, expected a tuple of 2 or more"),
        ("return x", "`f` returned an object of type "),
    ],
)
def test_what_a_later_call_cannot_take_is_no_error_of_the_submission(
    runner: Runner, code: str, told: str
) -> None:
    plan = CallPlan((Call("f", (array(3),), into="_made"), Call("f", (Register("_made", 1),))))
    outcome = run(runner, f"def f(x): {code}", plan)[0]
    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.told) == ("", outcome.message)
    assert outcome.message.startswith(told)


@pytest.mark.parametrize("code", ["x.sum()", "x[None]", "(x,)", "None"])
def test_a_result_of_another_form_raises_nothing(torch_runner: Runner, code: str) -> None:
    """It has no gradient that could be asked for; its shape or kind is what is wrong."""
    given = array(3, requires_grad=True)
    for index in (None, 1):
        backward = Backward("result", array(3), index=index)
        plan = CallPlan((Call("f", (given,)), backward), ("result", "gradients"))
        outcome = run(torch_runner, f"def f(x): return {code}", plan)[0]
        assert finished(outcome).registers["gradients"] == (None,)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("()", "`f` returned None, which cannot be called"),
        ("reset", "`f` returned None, which has no method `reset`"),
    ],
)
def test_a_result_that_is_no_object_is_told_as_that(
    runner: Runner, function: str, told: str
) -> None:
    plan = CallPlan((Call("f", into="_made"), Call(function, on="_made")))
    outcome = run(runner, "def f(): pass", plan)[0]
    assert isinstance(outcome, Raised)
    assert outcome.told == told


def test_the_worker_holds_no_reference_and_no_judge(runner: Runner) -> None:
    source = (
        "import gc, types\n"
        "def f():\n"
        "    return ' '.join(sorted({m.__name__ for m in gc.get_objects()\n"
        "        if isinstance(m, types.ModuleType) and m.__name__.startswith('studyattn')}))\n"
    )
    held = finished(run(runner, source, call())[0]).registers["result"]
    assert isinstance(held, str)
    names = {name.removeprefix("studyattn.grading.") for name in held.split()}
    assert not names & {"judge", "oracle", "case", "drill", "diagnosis", "misconception"}
    assert not any(name.startswith("studyattn.attention") for name in held.split())


@pytest.mark.parametrize(
    "decorator", ["@xp.compile", "@xp.compile(mode='reduce-overhead', fullgraph=True)"]
)
def test_what_is_to_be_compiled_runs_as_it_is(torch_runner: Runner, decorator: str) -> None:
    source = f"{decorator}\ndef double(x): return 2 * x\n"
    source += "@xp.compile\nclass Double(xp.nn.Module):\n    def forward(self, x): return 2 * x\n"
    source += "def f(x):\n    layer = Double()\n    layer.compile()\n"
    source += "    return layer(double(x))\n"
    given = array(3)
    outcome = run(torch_runner, source, call(given))[0]
    assert np.allclose(values(outcome), 4 * given.values)


def test_variants_answer_in_order_whatever_one_of_them_does(runner: Runner) -> None:
    library = f"import {runner.backend} as xp\n"
    texts = [
        "def f(x): return x * 2",
        "def f(x): return (",
        "raise OSError('on import')",
        "def f(x): return x.nothing",
        "def f(x):\n    while True: pass",
        "import os\ndef f(x): os._exit(3)",
        "def f(x): return x * 3",
    ]
    sources = [(library + text).encode() for text in texts]
    given = array(2, 3)
    submission = Submission("/d/f.py", sources[0], runner.backend, ("f",))
    programs = [call(given), call(given)]
    found = list(runner.variants(submission, sources, programs, seconds=1.0))
    assert [len(outcomes) for outcomes in found] == [2] * len(texts)
    doubled, syntax, imported, raised, endless, left, tripled = found
    assert np.allclose(values(doubled[1]), 2 * given.values)
    assert np.allclose(values(tripled[1]), 3 * given.values)
    assert isinstance(syntax[0], Invalid)
    assert isinstance(imported[1], Invalid)
    assert isinstance(raised[1], Raised)
    assert [outcome.how for outcome in (endless[1], left[1]) if isinstance(outcome, Ended)] == [
        "timeout",
        "crashed",
    ]
