"""Packages that are broken or mean harm: one line each, and nothing half done."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.anki import package, reader
from studyattn.exchange.anki.clozes import read_clozes
from studyattn.exchange.anki.fields import markdown
from studyattn.exchange.anki.markup import html
from studyattn.exchange.anki.media import Medium
from studyattn.exchange.anki.reader import read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.memory import Scheduler
from studyattn.store.snapshot import Snapshot

NOW = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.apkg"
    write_package(path, Snapshot(), Scheduler())
    return path


def packed(path: Path, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name.replace("__", "."), data)
    return path


def refused(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        read_package(path, NOW)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message


def collection_of(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read("collection.anki2")


def test_a_truncated_package(whole: Path) -> None:
    for share in (0.1, 0.5, 0.9):
        cut = whole.with_name(f"cut{share}.apkg")
        cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
        assert "not an Anki package, or it is damaged" in refused(cut)


def test_a_package_that_would_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "LARGEST", 1024 * 1024)
    zeros = b"\0" * 5_000_000
    squeezed = zstandard.ZstdCompressor().compress(zeros)
    for name, data in (("collection__anki2", zeros), ("collection__anki21b", squeezed)):
        assert "more than 1 MB" in refused(packed(tmp_path / "bomb.apkg", **{name: data}))


def changed(whole: Path, *statements: str) -> Path:
    """Return a package like this one, after some statements in its collection."""
    collection = whole.with_name("collection")
    collection.write_bytes(collection_of(whole))
    with closing(sqlite3.connect(collection)) as connection:
        for each in statements:
            connection.executescript(each)
        connection.commit()
    return packed(whole.with_name("changed.apkg"), collection__anki2=collection.read_bytes())


HUGE = "hex(zeroblob(450000000))"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
CHECKED = f"CREATE TABLE more (a, CHECK (length({HUGE}) > a))"
NOTE = "INSERT INTO notes VALUES (1, 'g', 1, 0, 0, '', printf('%.*c', {}, 'x'), '', 0, 0, '')"
CARDS = (
    f"INSERT INTO cards {ENDLESS[:-1]} WHERE i < {{}})"
    " SELECT i, 1, 1, i - 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '' FROM n"
)
LITTLE = 400 * 1024 * 1024
"""Bytes of memory besides those at the start, far less than what these packages ask for."""


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (f"DROP TABLE notes; CREATE VIEW notes AS SELECT 1 id, {HUGE} flds", "`notes`"),
        (f"DROP TABLE revlog; CREATE VIEW revlog AS {ENDLESS} SELECT i id FROM n", "`revlog`"),
        (f"ALTER TABLE notes ADD COLUMN more AS ({HUGE})", "`notes`"),
        (f"{CHECKED}; PRAGMA ignore_check_constraints = 1; INSERT INTO more VALUES (1)", ""),
        (f"{NOTE.format(60_000_000)}; {CARDS.format(1)}", "too big"),
    ],
)
def test_a_collection_that_asks_for_gigabytes_is_refused_early(
    whole: Path, statement: str, said: str
) -> None:
    path = changed(whole, statement)
    code = (
        "import resource, sys, time\n"
        "from datetime import UTC, datetime\n"
        "from pathlib import Path\n"
        "from studyattn.errors import DocumentError\n"
        "from studyattn.exchange.anki.reader import read_package\n"
        "used = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()\n"
        f"resource.setrlimit(resource.RLIMIT_AS, (used + {LITTLE},) * 2)\n"
        "begin = time.process_time()\n"
        "try:\n    read_package(Path(sys.argv[1]), datetime.now(UTC))\n"
        "except DocumentError as error:\n    print(error)\n"
        "print(time.process_time() - begin)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    *told, seconds = done.stdout.splitlines()
    assert said in "".join(told)
    assert len(told) == (1 if said else len(told))
    assert float(seconds) < 2


def test_a_collection_of_zeros_is_not_unpacked(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "LEAST", 1024 * 1024)
    zeros = collection_of(whole) + bytes(8 * 1024 * 1024)
    squeezed = zstandard.ZstdCompressor().compress(zeros)
    for name, data in (("collection__anki2", zeros), ("collection__anki21b", squeezed)):
        assert "MB unpacked" in refused(packed(tmp_path / "zeros.apkg", **{name: data}))


def test_a_template_and_many_cards_of_a_note_do_not_multiply_its_text(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def package_of(template: str) -> Path:
        fields, templates = (
            [{"name": "Front", "ord": 0}],
            [{"ord": ord_, "qfmt": template, "afmt": ""} for ord_ in range(40)],
        )
        models = json.dumps({"1": {"flds": fields, "tmpls": templates}})
        statements = (NOTE.format(100_000), CARDS.format(40))
        return changed(whole, *statements, f"UPDATE col SET models = '{models}'")

    assert "more than 16 MB" in refused(package_of("{{Front}}" * 1000))
    plain = package_of("{{Front}}")
    assert len(read_package(plain, NOW).snapshot.items) == 40
    monkeypatch.setattr(reader, "_LEAST_TEXTS", 1024 * 1024)
    monkeypatch.setattr(reader, "_TIMES_TEXTS", 2)
    assert "far more text" in refused(plain)


def test_a_package_with_changed_bytes_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "whole.apkg"
    cards = {"media": json.dumps({"0": "a.png"}).encode(), "0": bytes(range(256)) * 40}
    write_package(path, Snapshot(), Scheduler())
    packed(path, collection__anki2=collection_of(path), **cards)
    whole = path.read_bytes()
    draw = random.Random(7)
    told: set[str] = set()
    for _ in range(400):
        changed = bytearray(whole)
        for _ in range(draw.choice((1, 1, 4))):
            place = draw.choice((draw.randrange(len(whole)), -1 - draw.randrange(200)))
            changed[place] = draw.randrange(256)
        path.write_bytes(changed)
        with suppress(InputError):  # anything else is a bug
            told.add(read_package(path, NOW)[0].sources[0].title)
    assert told == {"whole"}


def test_media_are_listed_by_name_and_size(whole: Path, tmp_path: Path) -> None:
    collection = collection_of(whole)
    media = json.dumps({"0": "b.png", "1": "a.mp3", "2": "gone.png"}).encode()
    old = packed(
        tmp_path / "old.apkg",
        **{"collection__anki2": collection, "media": media, "0": b"x" * 20, "1": b""},
    )
    found = (Medium("a.mp3", 0), Medium("b.png", 20), Medium("gone.png", None))
    assert read_package(old, NOW).media == found


@pytest.mark.parametrize("name", ["../../.bashrc", "/etc/passwd", "C:\\x", "..", "a\0b"])
def test_a_medium_that_leads_out(whole: Path, tmp_path: Path, name: str) -> None:
    media = json.dumps({"0": name}).encode()
    path = packed(tmp_path / "out.apkg", collection__anki2=collection_of(whole), media=media)
    assert "points outside its folder" in refused(path)


def test_what_is_no_collection(tmp_path: Path) -> None:
    assert "not an Anki database" in refused(
        packed(tmp_path / "a", collection__anki2=b"text" * 999)
    )
    assert "it contains no collection" in refused(packed(tmp_path / "b", other=b"x"))
    assert "its collection is broken" in refused(packed(tmp_path / "c", collection__anki21b=b"x"))
    (tmp_path / "d").write_text("PK no zip at all")
    assert "not an Anki package" in refused(tmp_path / "d")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE notes (id)")
    connection.close()
    assert "no such table" in refused(packed(tmp_path / "e", collection__anki2=other.read_bytes()))


def test_the_dummy_beside_a_new_collection_is_passed_over(whole: Path, tmp_path: Path) -> None:
    new = io.BytesIO(zstandard.ZstdCompressor().compress(collection_of(whole))).getvalue()
    path = packed(tmp_path / "new.apkg", collection__anki2=b"too old", collection__anki21b=new)
    assert read_package(path, NOW)[0].items == ()


def test_a_field_keeps_what_it_says() -> None:
    assert markdown("<div>A <b>b</b></div><ul><li>x</li><li>y</li></ul>") == "A **b**\n\n- x\n- y"
    assert markdown("<script>alert(1)</script>a &lt; b<img src='p.png'>") == "a < b![](p.png)"
    assert markdown('<img src="a (b).png">') == "![](<a (b).png>)"
    assert markdown('<a href="https://a.b/c d">e</a>') == "[e](<https://a.b/c d>)"
    assert markdown("<pre>x = 1\n  y</pre>") == "```\nx = 1\n  y\n```"
    clozes = read_clozes("{{c2::a::hint}} {{c1::b}}")
    assert clozes.groups == (1, 2)
    assert clozes.gapped(1) == clozes.gapped(2) == "==2|a::hint== ==1|b=="


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("{{c1::a {{c2::b}} c}} d", {1: "==1|a b c== d", 2: "a ==2|b== c d"}),
        ("{{c1::a {{c1::b}} c}}", {1: "==1|a b c=="}),
        ("{{c1,2::a}} {{c1::b}}", {1: "==1|a== ==1|b==", 2: "==2|a== b"}),
        ("{{c1::a {{c2::b::x}}::y}}", {1: "==1|a b::y==", 2: "a ==2|b::x=="}),
        ("{{c1::a::b {{c2::c}} d", {2: "{{c1::a::b ==2|c== d"}),  # the first is never closed
        ("a}} {{c1::b}}", {1: "a}} ==1|b=="}),
        ("{{c0::a}} {{c1::b}}", {1: "==0|a== ==1|b=="}),
        ("no gap", {}),
    ],
)
def test_each_card_of_a_note_with_nested_clozes_has_its_own_gaps(
    text: str, cards: dict[int, str]
) -> None:
    clozes = read_clozes(text)
    assert {group: clozes.gapped(group) for group in clozes.groups} == cards


def test_latex_in_the_older_marks_of_anki_is_a_formula() -> None:
    assert (
        markdown("Let [$]x_1[/$] be<br>[$$]\\frac{a}{b}[/$$].")
        == "Let \\(x_1\\) be\n\\[\\frac{a}{b}\\]."
    )
    assert markdown("[latex]if $z$ is <b>0</b>[/latex]") == "if $z$ is **0**"
    assert markdown("[latex]\\today[/latex]") == "[latex]\\today[/latex]"
    assert markdown("[$]open [$]x[/$] [/$$]") == "[$]open \\(x\\) [/$$]"
    assert markdown("[$]" * 100_000 + "[/") == "[$]" * 100_000 + "[/"


def test_clozes_without_end_are_read_in_time() -> None:
    assert read_clozes("{{c1::" * 100_000).groups == ()


def with_json(whole: Path, column: str, value: object) -> Path:
    """The package with other JSON in one column of its collection's table `col`."""
    path = whole.with_name("changed.apkg")
    collection = whole.with_name("collection")
    collection.write_bytes(collection_of(whole))
    with closing(sqlite3.connect(collection)) as connection, connection:
        connection.execute(f"UPDATE col SET {column} = ?", (json.dumps(value),))
    return packed(path, collection__anki2=collection.read_bytes())


@pytest.mark.parametrize("column", ["decks", "models", "conf"])
def test_json_of_another_kind_is_refused_by_its_column(whole: Path, column: str) -> None:
    assert f"`{column}` of its table `col` is not a JSON object" in refused(
        with_json(whole, column, [])
    )


@pytest.mark.parametrize("column", ["decks", "models"])
def test_an_entry_of_another_kind_is_refused_by_its_number(whole: Path, column: str) -> None:
    assert f"entry '1' of `{column}` is not a JSON object" in refused(
        with_json(whole, column, {"1": []})
    )


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["1", "x", "name", "type", "rollover", "creationOffset"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["decks", "models", "conf"]), any_json)
def test_any_json_is_read_or_refused_in_a_line(whole: Path, column: str, value: object) -> None:
    path = with_json(whole, column, value)
    try:
        read_package(path, NOW)
    except DocumentError:
        refused(path)


def test_a_card_keeps_what_it_says() -> None:
    assert html("Why $\\sqrt{d_k}$?") == "<p>Why \\(\\sqrt{d_k}\\)?</p>"
    assert html("$$\na < b\n$$") == "\\[a &lt; b\\]"
    assert html("==2|$x^{a_{b}}$==", cloze=True) == "<p>{{c2::\\(x^{a_{b} }\\)}}</p>"
    assert html("==2|x==") == "<p>x</p>"
    assert "<script" not in html("<script>\nx\n</script>\n\na <b onclick=x>")
    assert 'style="color' in html("```python\nx = 'a'\n```")
