"""A document that calls something known that is wrong: nowhere does it become known.

The real document is read where it lies beside the checkout; one of the same shape is always there.
"""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from studyattn.cli import run
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.home import Home
from studyattn.study.clock import SystemClock
from studyattn.study.notes.notes import list_sources, show_source
from studyattn.study.profile import open_profile
from tests.cli.conftest import Command, Result

SOURCES = Path(__file__).parents[3] / "shared" / "sources"
OWN = """\
# What I took from a talk

## Known

- Words become vectors
- One counts as many parameters as the square of the context has tokens
- Softmax, after masking:
  masking comes before it, or the sum is not 1
- The parameters are not the square of the context

## Questions

### 1. Output matrix - what is it?

The output matrix holds the weighted sum of the value vectors.

### 2. Cross attention?

Queries of one text, keys of another.
"""
WRONG = {
    "real": ("is the square of the context size", "the sum is not 1", "as delta", "K is key/word"),
    "own": ("as many parameters as", "or the sum is not 1"),
}
KNOWN = {
    "real": ["Embedding could represent meaning"],
    "own": ["Words become vectors", "The parameters are not the square of the context"],
}
HTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(params=["own", "real"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def document(name: str, tmp_path: Path) -> Path:
    if name == "own":
        return written(tmp_path, OWN)
    real = next(iter(SOURCES.glob("000_*.txt")), None)
    if real is None:
        pytest.skip("the source documents are not beside the checkout")
    return written(tmp_path, real.read_text(encoding="utf-8"))


@pytest.fixture
def elsewhere(fresh_home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Command]:
    """Commands on another copy of the fresh home, in a folder that is not there yet."""

    def other(folder: Path) -> Command:
        shutil.copytree(fresh_home, folder)

        def carry_out(*arguments: str) -> Result:
            status = run(["--home", str(folder), *arguments])
            said = capsys.readouterr()
            return Result(status, said.out, said.err)

        return carry_out

    return other


def written(folder: Path, text: str) -> Path:
    path = folder / "talk.md"
    path.write_text(text, encoding="utf-8")
    return path


def imported(command: Command) -> dict[str, str]:
    """The state of each concept that came from no pack, by its title."""
    lines = command("concept", "list", "--json").json
    return {line["title"]: line["state"] for line in lines if line["pack"] is None}


def slug_of(command: Command, words: str) -> str:
    lines = command("concept", "list", "--json").json
    return next(str(line["slug"]) for line in lines if words in line["title"])


def test_the_preview_says_so_before_anything_is_imported(
    command: Command, document: Path, name: str
) -> None:
    plan = command("import", "--dry-run", "--json", str(document)).json
    concepts = plan["sources"][0]["concepts"]
    known = [each["title"] for each in concepts if each["state"] == "known"]
    assert known == KNOWN[name]
    corrected = [each for each in concepts if each["corrections"]]
    assert len(corrected) == len(WRONG[name])
    for each in corrected:
        assert each["state"] == "known-unknown"
        assert all(correction["right"] for correction in each["corrections"])
    shown = command("import", "--dry-run", str(document)).out
    assert shown.count("! corrected, so not known: ") == len(WRONG[name])
    # The same correction is not repeated among the warnings of the whole document.
    assert shown.count("Parameters do not grow with the context") == 1
    assert imported(command) == {}


def test_no_false_statement_is_known_and_each_stands_beside_its_correction(
    command: Command, document: Path, name: str
) -> None:
    assert command("import", "--yes", str(document)).status == 0
    states = imported(command)
    assert [title for title, state in states.items() if state == "known"] == KNOWN[name]
    pages = [command("concept", "show", slug_of(command, title), "--json").json for title in states]
    for words in WRONG[name]:
        page = next(each for each in pages if words in f"{each['line']['title']} {each['body']}")
        assert page["line"]["state"] == "known-unknown"
        (correction,) = page["corrections"]
        assert words in correction["says"]
        assert correction["source"] == page["line"]["source"]
        assert correction["right"]
        (change,) = page["changes"]
        assert change["author"] == "import"
        assert change["reason"].startswith(f"known in “{correction['source']}”, but the errata")
        assert correction["title"] in change["reason"]
        assert correction["erratum"] not in {each["id"] for each in page["errata"]}


def test_a_card_that_carries_a_claim_corrects_it_on_its_concept(
    command: Command, document: Path
) -> None:
    command("import", "--yes", str(document))
    slug = slug_of(command, "Output matrix")
    page = command("concept", "show", slug, "--json").json
    assert "qa-output" in {each["erratum"] for each in page["corrections"]}
    shown = " ".join(command("concept", "show", slug).out.split())
    assert "It says (“" in shown
    assert "that sum is the output of a head" in shown


@pytest.mark.parametrize("form", ["markdown", "html", "obsidian"])
def test_the_exports_show_claim_source_and_correction(
    command: Command, document: Path, name: str, form: str, tmp_path: Path
) -> None:
    command("import", "--yes", str(document))
    if form == "obsidian":
        folder = tmp_path / "vault"
        assert command("export", "note", "--format", form, "-o", str(folder)).status == 0
        slug = slug_of(command, "parameters as" if name == "own" else "size of the parameters")
        page = (folder / f"{slug}.md").read_text(encoding="utf-8")
        assert "\n> *Right:* the attention *pattern* has $n \\times n$ entries." in page
        return
    note = command("export", "note", "--format", form).out
    if form == "markdown":
        known = note.partition("## Known\n")[2].partition("## Known unknown\n")[0]
        unknown = note.partition("## Known unknown\n")[2].partition("## Questions")[0]
        assert unknown.count("> *It says* (“") == len(WRONG[name])
        assert "> *Right:* that sum is the *output* of a head." in note.partition("## Questions")[2]
    else:
        root = ET.fromstring(note.partition("\n")[2])
        (known, unknown) = (
            ET.tostring(section, encoding="unicode")
            for wanted in ("known", "known-unknown")
            for section in root.iter(f"{HTML}section")
            if section.get("id") == wanted
        )
        tables = [each for each in root.iter(f"{HTML}table") if each.get("class") == "correction"]
        assert len(tables) >= len(WRONG[name]) + 1  # and the card's
        cells = [len(list(each.iter(f"{HTML}td"))) for each in tables]
        assert set(cells) == {2}
    assert not any(words in known for words in WRONG[name])
    assert all(words in unknown for words in WRONG[name])
    assert all(title in known for title in KNOWN[name])


def test_anki_asks_for_each_correction_and_shows_it_below_a_wrong_answer(
    command: Command, document: Path, name: str, tmp_path: Path
) -> None:
    command("import", "--yes", str(document))
    package = tmp_path / "cards.apkg"
    assert command("export", "anki", "-o", str(package)).status == 0
    collection = tmp_path / "collection.anki2"
    with zipfile.ZipFile(package) as archive:
        collection.write_bytes(archive.read("collection.anki2"))
    with closing(sqlite3.connect(collection)) as connection:
        rows = connection.execute("SELECT flds FROM notes").fetchall()
    notes = [str(fields).split("\x1f") for (fields,) in rows]
    asked = [front for front, _ in notes if "Which part of this is wrong?" in front]
    for words in WRONG[name]:
        assert any(words in front for front in asked)
        assert not any(words in back for _, back in notes)  # the claim is no answer to anything
    (back,) = [back for front, back in notes if front.startswith("<p>Output matrix")]
    answer, _, below = back.partition("<hr>")
    assert "weighted sum of the value vectors" in answer
    assert "<em>It says</em> (“" in below
    assert "that sum is the <em>output</em> of a head" in below


def test_the_source_has_each_correction_below_its_claim(
    command: Command, home: Path, document: Path, name: str
) -> None:
    command("import", "--yes", str(document))
    with open_profile(Home(home), SystemClock()) as profile:
        (head,) = list_sources(profile)
        shown = show_source(profile, head.guid).text.split("\n")
    told = [at for at, line in enumerate(shown) if line.startswith("> **✗ ")]
    for words in WRONG[name]:
        claim = next(at for at, line in enumerate(shown) if words in line)
        assert claim + 2 in told
    without = [line for at, line in enumerate(shown) if line and at not in told]
    assert without == [line for line in document.read_text("utf-8").split("\n") if line]


def test_it_stays_through_everything_that_moves_a_learners_things(
    command: Command,
    document: Path,
    name: str,
    elsewhere: Callable[[Path], Command],
    tmp_path: Path,
) -> None:
    command("import", "--yes", str(document))
    states = imported(command)
    page = command("concept", "show", slug_of(command, KNOWN[name][0]), "--json").json
    assert page["corrections"] == []
    wrong = next(title for title, state in states.items() if "square" in title and "un" in state)
    shown = corrections_of(command, wrong)
    assert shown

    assert command("import", "--yes", str(document)).status == 0  # the same again
    assert (imported(command), corrections_of(command, wrong)) == (states, shown)
    document.write_text(f"{document.read_text(encoding='utf-8')}\nOne more line.\n", "utf-8")
    assert command("import", "--yes", str(document)).status == 0  # an edited version
    assert (imported(command), corrections_of(command, wrong)) == (states, shown)

    backup = command("db", "backup").out.strip()
    command("concept", "set", slug_of(command, wrong), "known")
    assert command("db", "restore", backup).status == 0
    assert (imported(command), corrections_of(command, wrong)) == (states, shown)

    everything = tmp_path / "all.jsonl"
    assert command("export", "all", "-o", str(everything)).status == 0
    for number, arguments in enumerate(
        (("import", str(everything)), ("db", "merge", str(tmp_path / "home" / "studyattn.db")))
    ):
        other = elsewhere(tmp_path / f"other{number}")
        assert other(*arguments).status == 0
        assert imported(other) == states
        assert corrections_of(other, wrong) == shown


def corrections_of(command: Command, title: str) -> object:
    return command("concept", "show", slug_of(command, title), "--json").json["corrections"]


def test_what_was_imported_as_known_before_keeps_its_state_and_is_corrected(
    command: Command, home: Path, tmp_path: Path
) -> None:
    document = written(tmp_path, OWN)
    clock = SystemClock()
    with open_profile(Home(home), clock) as profile:  # as a version without corrections did
        plan = read_documents(profile.database, [document]).plan
        apply_import(profile.database, plan, clock.now())
    wrong = next(title for title in imported(command) if WRONG["own"][0] in title)
    assert imported(command)[wrong] == "known"
    assert corrections_of(command, wrong)
    known = command("export", "note").out.partition("## Known unknown\n")[0]
    assert "> *Right:* the attention *pattern*" in known
    document.write_text(f"{OWN}\nOne more line.\n", encoding="utf-8")
    assert command("import", "--yes", str(document)).status == 0
    assert imported(command)[wrong] == "known"
    moved = OWN.replace("## Known\n", "## Known unknown\n")
    document.write_text(moved, encoding="utf-8")
    assert command("import", "--yes", str(document)).status == 0
    assert imported(command)[wrong] == "known-unknown"  # now the document itself says so


def test_the_preview_is_edited_in_the_learners_editor(
    command: Command, document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^Output matrix.*/What is W_O?/' \"$1\"\n", "utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    plan = command("import", "--edit", "--dry-run", "--json", str(document)).json
    assert "What is W_O?" in [card["front"] for card in plan["sources"][0]["cards"]]
    editor.write_text("#!/bin/sh\nsed -i 's/^@ [0-9]*$/@ 1/' \"$1\"\n", "utf-8")
    refused = command("import", "--edit", "--yes", str(document))
    assert refused.status == 2
    assert "of the edited text: the document has no question at 1" in refused.err
    assert imported(command) == {}
