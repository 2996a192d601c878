"""Files beside a submission: which of them are handed over, and how they run in a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.grading.call_plan import Finished, Invalid, Outcome, Raised
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import MAX_SOURCE, Backend, Submission, files_beside
from tests.grading.asking import LIMITS, array, call, finished

FILES = {
    "mine.py": "from soft_max import softmax\n",
    "soft-max.py": "import numpy as np\nfrom helpers.small import half\nimport shifted, gone\n",
    "shifted.py": "import mine\n",
    "other.py": "secret = 1\n",
    "small.py": "",
    "numpy.py": "raise OSError\n",
}


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        yield runner


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder / next(iter(files))


def asked(
    runner: Runner, folder: Path, files: dict[str, str], forbidden: tuple[str, ...] = ()
) -> Outcome:
    """What came of calling `f` of the first file."""
    path = write(folder, files)
    submission = Submission.read(path, ("f",), backend=runner.backend, forbidden=forbidden)
    return runner.run(submission, [call(array(3))])[0]


def test_only_what_may_be_imported_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, FILES)
    (tmp_path / "gone.py").mkdir()
    beside = files_beside(path, path.read_bytes())
    names = {Path(file.path).name for file in beside}
    assert names == {"soft-max.py", "shifted.py", "small.py", "numpy.py"}  # words near an import


def test_a_file_beside_it_is_imported_also_with_hyphens_and_late(
    runner: Runner, tmp_path: Path
) -> None:
    files = {
        "f.py": "from soft_max import one\ndef f(x):\n    import late\n    return one + late.two",
        "soft-max.py": "from late import two\none = 1\n",
        "late.py": "two = 2\n",
    }
    assert finished(asked(runner, tmp_path, files)).registers["result"] == 3


def test_a_package_beside_it_is_imported_with_its_modules(runner: Runner, tmp_path: Path) -> None:
    files = {
        "f.py": "from parts import one\nfrom parts.late import two\ndef f(x): return one + two",
        "parts/__init__.py": "from parts.early import one\n",
        "parts/early.py": "one = 1\n",
        "parts/late.py": "two = 2\n",
        "other/__init__.py": "raise OSError\n",
    }
    assert finished(asked(runner, tmp_path, files)).registers["result"] == 3
    path = tmp_path / "f.py"
    read = {file.module for file in files_beside(path, path.read_bytes())}
    assert read == {"parts", "parts.early", "parts.late"}


def test_a_file_beside_it_may_be_empty(runner: Runner, tmp_path: Path) -> None:
    files = {
        "f.py": "import blank\nfrom parts.late import two\ndef f(x): return 1 + two",
        "blank.py": "",
        "parts/__init__.py": "\n# only to make it a package\n",
        "parts/late.py": "two = 2\n",
    }
    assert finished(asked(runner, tmp_path, files)).registers["result"] == 3
    outcome = asked(runner, tmp_path, {"f.py": "\ufeff\n"})
    assert isinstance(outcome, Invalid)
    assert outcome.message == "it does not define `f`; the task requires that name"


def test_an_error_in_it_names_the_file_and_both_lines(runner: Runner, tmp_path: Path) -> None:
    files = {
        "f.py": "from g import g\ndef f(x):\n    return g(x)\n",
        "g.py": "\n\n\ndef g(x):\n    return x / nothing\n",
    }
    outcome = asked(runner, tmp_path, files)
    assert isinstance(outcome, Raised)
    assert (outcome.type_name, outcome.line) == ("NameError", 3)
    assert outcome.message == "name 'nothing' is not defined (in g.py, line 5)"


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ("def g(x)\n", "SyntaxError: expected ':' (g.py, line 1)"),
        ("x = 1\nraise ValueError('no')\n", "ValueError: no (in g.py, line 2)"),
        ("import gone\n", "there is no gone.py in its folder"),
    ],
)
def test_a_file_that_cannot_be_imported_is_named(
    runner: Runner, tmp_path: Path, beside: str, told: str
) -> None:
    outcome = asked(runner, tmp_path, {"f.py": "\nimport g\ndef f(x): pass\n", "g.py": beside})
    assert isinstance(outcome, Invalid)
    assert outcome.line == 2
    assert told in outcome.message


def test_bans_hold_in_it(runner: Runner, tmp_path: Path) -> None:
    files = {
        "f.py": "import g\ndef f(x): g.one()\n",
        "g.py": "import torch\ndef one(): return torch.ones(1)\n",
    }
    outcome = asked(runner, tmp_path, files)
    assert isinstance(outcome, Raised)
    assert (outcome.forbidden, outcome.line) == ("torch.ones (in g.py, line 2)", 2)
    with Runner(limits=LIMITS) as torch:
        files = {
            "f.py": "from softmax import softmax\ndef f(x):\n    return softmax(x)\n",
            "softmax.py": "import torch\ndef softmax(x):\n    return torch.softmax(x, -1)\n",
        }
        outcome = asked(torch, tmp_path, files, ("softmax",))
    assert isinstance(outcome, Raised)
    assert (outcome.forbidden, outcome.line) == ("softmax (in softmax.py, line 3)", 3)


def test_a_file_with_the_name_of_what_is_banned_is_the_learners(
    runner: Runner, tmp_path: Path
) -> None:
    files = {"f.py": "from softmax import g as f\n", "softmax.py": "def g(x): return 1\n"}
    assert finished(asked(runner, tmp_path, files, ("softmax",))).registers["result"] == 1


def test_a_library_does_not_meet_it(runner: Runner, tmp_path: Path) -> None:
    files = {
        "f.py": "import cProfile\ndef f(x):\n    import profile\n    return profile.mine\n",
        "profile.py": "mine = True\n",
    }
    # cProfile has imported Python's own profile, which therefore is what Python would find too.
    assert isinstance(asked(runner, tmp_path, files), Raised)
    files["f.py"] = "import profile\ndef f(x):\n    return profile.mine\n"
    assert isinstance(asked(runner, tmp_path, files), Finished)


def test_all_files_together_have_the_size_of_one(runner: Runner, tmp_path: Path) -> None:
    files = {"f.py": "import g\ndef f(x): pass\n", "g.py": "#" * MAX_SOURCE}
    outcome = asked(runner, tmp_path, files)
    assert isinstance(outcome, Invalid)
    assert outcome.message.startswith("the file and the files it imports have 1.0 MiB")
