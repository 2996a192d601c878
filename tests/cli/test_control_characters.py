"""What a submission raises, prints, returns and is called never controls a terminal.

`PWN` would set the title of the terminal. No command and no file that one writes may have it.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.lm.records import Sizes
from studyattn.lm.trial import TOKENS
from tests.cli.conftest import Command
from tests.cli.test_model import cache
from tests.cli.test_watch import READY, Terminal
from tests.llama_models import models

__all__ = ["cache", "models"]

PWN = "\x1b]0;pwn\x07"
SHOWN = "\ufffd]0;pwn\ufffd"
WRITTEN = PWN.encode("unicode_escape").decode()
HEAD = "# backend: numpy\n"
SUBMISSIONS = {
    "raised at import": f'{HEAD}raise RuntimeError("{WRITTEN}")\n',
    "raised by a call": f'{HEAD}def softmax(x):\n    raise RuntimeError("{WRITTEN}")\n',
    "a type's name": (
        f'{HEAD}def softmax(x):\n    raise type("{WRITTEN}", (Exception,), {{}})("oh")\n'
    ),
    "a class's name": f'{HEAD}def softmax(x):\n    return type("{WRITTEN}", (), {{}})()\n',
    "a returned text": f'{HEAD}def softmax(x):\n    return "{WRITTEN}"\n',
    "printed": f'{HEAD}def softmax(x):\n    print("{WRITTEN}")\n    return x\n',
}
"""Code that has the sequence escaped, so that the file itself is harmless."""


def is_harmless(*texts: str) -> bool:
    escaped = [form for each in "\x1b\x07\x9b\u202e" for form in (each, f"\\u{ord(each):04x}")]
    return not any(form in text for text in texts for form in escaped)


@pytest.mark.parametrize("kind", SUBMISSIONS)
def test_grading_shows_it_harmless(kind: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(SUBMISSIONS[kind])
    text = command("drill", "grade", "softmax", str(file))
    data = command("drill", "grade", "softmax", str(file), "--json")
    assert SHOWN in text.out
    assert SHOWN in str(data.json)
    assert is_harmless(text.out, text.err, data.out, data.err)


def test_a_class_shows_and_writes_it_harmless(command: Command, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    for number, code in enumerate(SUBMISSIONS.values()):
        student = folder / f"student{number}{PWN}"
        student.mkdir(parents=True)
        (student / f"softmax{PWN}.py").write_text(code)
    options = [f"--{each}={out / each}" for each in ("csv", "jsonl", "html", "gradescope")]
    grade = ("class", "grade", "softmax", str(folder), "--jobs", "1")
    text, data = command(*grade, *options), command(*grade, "--json")
    assert text.status == data.status == 0, text.err
    assert SHOWN in str(data.json)
    written = [path.read_text() for path in out.rglob("*") if path.is_file()]
    assert len(written) == 3 + len(SUBMISSIONS)
    assert is_harmless(text.out, text.err, data.out, data.err, *written)


def test_watching_shows_it_harmless(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(SUBMISSIONS["raised at import"])
    terminal = Terminal("--home", str(home), "drill", "watch", "softmax", str(file))
    with contextlib.closing(terminal):
        shown = terminal.wait_for(READY)
    assert SHOWN in shown
    assert PWN not in shown


@pytest.mark.parametrize(
    ("drill", "tokens", "use"),
    [
        ("multi-head-attention", Sizes().context, ("gpt", "train", "--steps", "1")),
        ("rope", TOKENS, ("model", "say", "the")),
    ],
)
@pytest.mark.usefixtures("cache")
def test_a_part_of_a_model_shows_it_harmless(
    drill: str, tokens: int, use: tuple[str, ...], command: Command, tmp_path: Path
) -> None:
    """The part is right in its drill, and raises for as many tokens as its model has.

    The seed is fixed: another may draw a question of that many tokens.
    """
    solution = (content_dir() / "attention/drills" / drill / "solution.py").read_text()
    raises = f'    if x.shape[-2] == {tokens}:\n        raise RuntimeError("{WRITTEN}")\n'
    file = tmp_path / "mine.py"
    file.write_text(solution.replace('"""\n', f'"""\n{raises}', 1))
    graded = command("drill", "grade", drill, str(file), "--seed", "1")
    assert graded.status == 0, graded.out
    failed = command(*use)
    assert failed.status != 0
    assert SHOWN in failed.err
    assert is_harmless(failed.out, failed.err)
