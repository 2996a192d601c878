"""The documentation is true: its examples run, and what it names exists."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import tomllib
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
import yaml

from studyattn.cli.app import studyattn
from studyattn.grading import drill
from studyattn.grading.drill import Draw, case
from studyattn.packs.read import load_pack
from studyattn.text.document import Attributes, read_document
from studyattn.text.markdown import parse_blocks

REPOSITORY = Path(__file__).resolve().parent.parent
API = sorted((REPOSITORY / "docs" / "api").glob("*.md"))


@pytest.mark.parametrize("page", API, ids=lambda page: page.stem)
def test_the_examples_of_api_pages_print_what_their_comments_say(page: Path) -> None:
    for code in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), {})  # the page's own example
        expected = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
        assert expected
        assert printed.getvalue().splitlines() == expected


def test_the_readme_counts_what_the_built_in_pack_has() -> None:
    pack = load_pack(REPOSITORY / "content" / "attention")
    readme = " ".join((REPOSITORY / "README.md").read_text("utf-8").split())
    cards = len(list(pack.cards()))
    assert f"`d` shows {len(pack.drills)}, from a dot product" in readme
    serving = load_pack(REPOSITORY / "content" / "serving")
    assert f"and {len(serving.drills)} on serving" in readme
    assert f"The {cards} cards and {len(pack.concepts)} concepts" in readme
    assert f"Another {len(pack.bugs)} cards ask for the bug" in readme


def test_the_hosted_checks_run_the_project_s_own_command_on_every_supported_python() -> None:
    workflow = yaml.safe_load((REPOSITORY / ".github/workflows/ci.yml").read_text("utf-8"))
    job = workflow["jobs"]["test"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert job["strategy"]["matrix"]["python"][0] == oldest
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert (REPOSITORY / ".ci/run").is_file()


def test_the_hooks_before_a_commit_use_the_project_s_own_tools() -> None:
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [source["repo"] for source in hooks["repos"]] == ["local"]
    for hook in hooks["repos"][0]["hooks"]:
        assert hook["entry"].split()[0].startswith(".venv/bin/")


PAGES = sorted(
    page
    for folder in ("", "docs", "docs/decisions", "docs/api")
    for page in (REPOSITORY / folder).glob("*.md")
    if page.name != "CHANGELOG.md"
)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
PLACE = re.compile(
    r"(?:studyattn|tests|docs|content|migrations|benchmarks)/[\w./-]+|\.(?:ci|github)/[\w./-]+"
)
PLACEHOLDER = re.compile(r"\b(?:ID|NAME|DRILL|FORMAT)\b")  # for what the reader adds


def exists(place: str) -> bool:
    """Whether `place`, from the top of the repository or from the package, is a file or folder."""
    return any((root / place).exists() for root in (REPOSITORY, REPOSITORY / "studyattn"))


def names_in(file: Path) -> set[str]:
    """Functions, classes and methods (`Class.method`) that a module defines."""
    names: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}.{part.name}"
                for part in node.body
                if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
    return names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = [
        code
        for code in CODE.findall(text)
        if PLACE.fullmatch(code) and not PLACEHOLDER.search(code)
    ]
    assert [place for place in named if not exists(place)] == []


def test_the_walks_name_functions_that_exist() -> None:
    text = (REPOSITORY / "docs/architecture.md").read_text("utf-8")
    walks = text.partition("## Three walks")[2].partition("## Libraries")[0]
    steps = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", walks)
    assert len(steps) > 20
    for file, name in steps:
        module = next(
            root / file for root in (REPOSITORY / "studyattn", REPOSITORY) if (root / file).exists()
        )
        assert name in names_in(module), f"{file} has no {name}"


def test_the_page_on_the_architecture_names_every_library() -> None:
    text = (REPOSITORY / "docs/architecture.md").read_text("utf-8").partition("## Libraries")[2]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    extras = optional.keys() - {"dev", "interop"}
    wanted = [*project["dependencies"], *(each for name in extras for each in optional[name])]
    names = {re.split(r"[\[>=; ]", each)[0] for each in wanted}
    cells = {
        name.strip()
        for row in re.findall(r"^\| (.+?) \|", text, re.MULTILINE)
        for name in row.split(",")
    }
    assert names == cells - {"library"}


TERM = re.compile(r"^\| \*\*(.+?)\*\* \| (.+) \| (.+) \|$", re.MULTILINE)
TABLE_OF_WORDS = (
    "pack", "source", "concept", "card", "drill", "item", "review", "rating", "attempt", "verdict",
    "misconception", "note", "learner day",
)  # fmt: skip


def test_each_term_of_the_glossary_occurs_once_and_has_an_owner() -> None:
    terms = TERM.findall((REPOSITORY / "docs/glossary.md").read_text("utf-8"))
    words = [term for term, _, _ in terms]
    assert sorted(set(words), key=words.index) == words
    assert set(TABLE_OF_WORDS) <= set(words)
    for term, meaning, owners in terms:
        assert meaning
        for owner in CODE.findall(owners):
            assert (REPOSITORY / "studyattn" / owner).exists(), f"{term}: no {owner}"


def test_every_decision_is_numbered_dated_and_in_the_index() -> None:
    folder = REPOSITORY / "docs/decisions"
    index = (folder / "index.md").read_text("utf-8")
    pages = sorted(page for page in folder.glob("*.md") if page.name != "index.md")
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for page in pages:
        title, _, status = page.read_text("utf-8").splitlines()[:3]
        number = int(page.name[:4])
        assert title.startswith(f"# {number}. ")
        assert re.match(r"\d{4}-\d\d-\d\d · (accepted|superseded by \[)", status)
        assert f"| {number} | [{title.split('. ', 1)[1]}]({page.name}) | {status[:10]} |" in index


def sources_at(place: str) -> str:
    """The text of a file, or of all Python and Markdown files below a folder."""
    path = REPOSITORY / place
    if path.is_file():
        return path.read_text("utf-8")
    return "".join(
        each.read_text("utf-8") for each in path.rglob("*") if each.suffix in {".py", ".md"}
    )


RECIPES = (REPOSITORY / "CONTRIBUTING.md").read_text("utf-8").partition("## How to add")[2]
HEADED = {
    part.partition("\n")[0]: part.partition("\n")[2]
    for part in RECIPES.partition("\n## ")[0].split("### … ")[1:]
}


@pytest.mark.parametrize("recipe", HEADED)
def test_a_recipe_names_what_is_in_the_files_that_it_names(recipe: str) -> None:
    codes = CODE.findall(HEADED[recipe])
    places = [code for code in codes if PLACE.fullmatch(code) and not PLACEHOLDER.search(code)]
    assert places
    text = "".join(map(sources_at, places))
    names = {code.partition("(")[0].partition("=")[0] for code in codes}
    names = {name for name in names if name.isidentifier() and not PLACEHOLDER.search(name)}
    assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set()


def test_there_is_a_recipe_for_everything_that_has_variants() -> None:
    wanted = ("card kind", "drill", "misconception", "format", "setting", "screen", "statistic")
    assert [each for each in wanted if not any(each in recipe for recipe in HEADED)] == []


def test_the_commands_that_texts_name_exist() -> None:
    unknown = []
    files = [*REPOSITORY.glob("studyattn/**/*.py"), *REPOSITORY.glob("docs/*.md")]
    for file in (*files, REPOSITORY / "README.md"):
        text = " ".join(file.read_text("utf-8").split())
        for named in re.findall(r"`studyattn ([a-z][^`{}]*)", text):
            command: click.Command | None = studyattn
            for word in named.split():
                if not isinstance(command, click.Group) or not word.isalpha() or word.isupper():
                    break
                command = command.get_command(click.Context(command), word)
            if command is None:
                unknown.append(f"{file.relative_to(REPOSITORY)}: studyattn {named}")
    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_no_section_of_a_page_is_swallowed_by_a_code_fence(page: Path) -> None:
    """Each fence is closed, and headings in an example are alike: all with attributes, or none."""
    text = page.read_text("utf-8")
    read_document(text, page.name, strict=True)
    for fence in parse_blocks(text):
        if fence.type != "fence" or fence.info not in {"", "markdown"}:
            continue
        shown = list(read_document(fence.content, page.name).walk())
        for level in {each.level for each in shown}:
            bare = {each.attributes == Attributes() for each in shown if each.level == level}
            assert len(bare) <= 1, f"{page.name}:{fence.map and fence.map[0] + 1}"


def test_the_page_on_the_format_has_a_section_for_each_file_of_a_pack() -> None:
    text = (REPOSITORY / "docs/pack-format.md").read_text("utf-8")
    page = read_document(text, "pack-format.md", strict=True)
    (files,) = (each for each in page.walk() if each.title == "The files")
    named = re.findall(r"^    ([a-z.]+)[/<]?", files.body, re.MULTILINE)
    assert {"concepts", "errata.md", "runs.json"} <= set(named)
    sections = {each.title for each in page.walk()}
    called = {
        "concepts": "A concept",
        "drills": "A drill",
        "bugs": "Bugs",
        "contract.md": "What every submission must do",
        "computed": "computed.py",
    }
    assert {called.get(name, name) for name in named} <= sections


def test_the_page_on_grading_lists_all_that_a_question_can_draw() -> None:
    text = (REPOSITORY / "docs/grading.md").read_text("utf-8")
    section = text.partition("### How questions are drawn")[2].partition("\n### ")[0]
    listed = re.findall(r"^\| `(.+?)` \|", section, re.MULTILINE)
    asked = case("one", n=4)
    object_ = Draw(np.random.default_rng(0), asked)
    draws = {name: getattr(object_, name) for name in dir(object_) if not name.startswith("_")}
    handed = {
        name: each
        for name, each in vars(drill).items()
        if inspect.isfunction(each) and each.__annotations__.get("return") == "ArrayInput"
    }
    written = [_called(f"draw.{name}", each) for name, each in draws.items()]
    written += [_called(name, each) for name, each in handed.items()]
    assert sorted(listed) == sorted(written)

    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    made: dict[str, Any] = {}
    exec(compile(code, "grading.md", "exec"), made)  # the page's own example
    tokens, table, start = made["ask"](object_, n=4, vocabulary=3).args
    assert (tokens.dtype, table.values.shape, type(start)) == ("int64", (3, 4), int)
    whole = Draw(np.random.default_rng(0), case("two", dtype="int32", n=4))
    (array,) = made["ask_in_a_layout"](whole, n=4).args
    assert array.dtype == "int32"
    assert set(array.values.tolist()) <= {0, 1, 2}


def _called(name: str, what: object) -> str:
    if not inspect.isroutine(what):
        return name
    parameters = inspect.signature(what).parameters.values()
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    signature = str(inspect.Signature(bare)).replace("*, ", "")
    return f"{name}{signature}"
