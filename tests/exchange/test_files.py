"""Which files an import takes, and what it says of those that it cannot use."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.files import LARGEST, PathKind, find_documents, kind_of, read_text
from studyattn.exchange.registry import ANKI, format_of


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"", ":1", "empty"),
        (b" \n\t\n", ":1", "empty"),
        (b"ok\n\xff\xfe\xfd", ":2", "not UTF-8"),
        (b"caf\xe9", ":1", "0xe9"),
        ("text".encode("utf-16"), ":1", "UTF-16"),
        (b"%PDF\n\0\1\2", ":2", "binary"),
        (b"a" * (LARGEST + 1), "", "larger than 32 MB"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    tmp_path: Path, content: bytes, line: str, said: str
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(content)
    with pytest.raises(DocumentError) as refused:
        read_text(path)
    assert refused.value.where == f"{path}{line}"
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_one_that_may_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^No such file: /"):
        kind_of(tmp_path / "none.md")
    with pytest.raises(DocumentError, match="cannot be read"):
        read_text(tmp_path)


def test_a_pipe_is_neither_waited_for_nor_taken_for_empty(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    for stream in (pipe, Path(os.devnull)):
        assert format_of(stream) is None
        with pytest.raises(InputError, match="pipe or device"):
            kind_of(stream)


def test_a_zip_is_a_package_of_anki_only_with_a_collection(tmp_path: Path) -> None:
    zipped = tmp_path / "zipped"
    for inside, kind in (("word/document.xml", None), ("collection.anki21b", ANKI)):
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr(inside, "")
        assert format_of(zipped) is kind
    zipped.write_bytes(b"PK and no more")
    assert format_of(zipped) is None
    assert format_of(zipped.rename(tmp_path / "x.apkg")) is ANKI


def test_line_ends_and_the_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("\ufeffa\r\nb\rc".encode())
    assert read_text(path) == "a\nb\nc"


def test_a_folder_gives_its_documents_in_order(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "c.pdf", ".hidden.md", "sub/d.markdown", ".git/e.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    found = find_documents([tmp_path, tmp_path / "a.txt"])
    names = [path.relative_to(tmp_path).as_posix() for path in found.documents]
    assert names == ["a.txt", "b.md", "sub/d.markdown"]


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.md").write_text("x")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    found = find_documents([tmp_path])
    assert [path.name for path in found.documents] == ["x.md"]


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    vault, other = tmp_path / "vault", tmp_path / "other"
    for folder in (vault / "inside", other):
        folder.mkdir(parents=True)
        (folder / "x.md").write_text("x")
    (tmp_path / "y.md").write_text("y")
    (vault / "again").symlink_to("inside")
    (vault / "root").symlink_to("/")
    (vault / "parent").symlink_to("..")
    (vault / "y.md").symlink_to(tmp_path / "y.md")
    (vault / "z.md").symlink_to(vault / "inside" / "x.md")
    (tmp_path / "link").symlink_to(vault)
    for named in (vault, tmp_path / "link"):
        found = find_documents([named])
        names = [path.relative_to(named).as_posix() for path in found.documents]
        assert names == ["z.md", "again/x.md"]
        assert [each.where for each in found.problems] == [
            str(named / name) for name in ("parent", "root", "y.md")
        ]
        assert all("link out of the folder" in str(each) for each in found.problems)


def test_what_is_no_file_is_told_and_the_rest_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "broken.md").symlink_to("gone.md")
    (tmp_path / "round.md").symlink_to("round.md")
    found = find_documents([tmp_path])
    assert [path.name for path in found.documents] == ["a.md"]
    assert [Path(each.where or "").name for each in found.problems] == [
        "broken.md",
        "pipe.md",
        "round.md",
    ]


def test_a_folder_without_documents(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_text("x")
    with pytest.raises(InputError, match="no document"):
        find_documents([tmp_path])


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    found = find_documents([tmp_path])
    assert [path.name for path in found.documents] == ["a.md"]
    assert "permission denied" in str(found.problems[0])


def test_kinds(tmp_path: Path) -> None:
    for name in ("log.jsonl", "empty.db", "a.anything"):
        (tmp_path / name).touch()
    (tmp_path / "words.db").write_text("# Not a database\n")
    (tmp_path / "old.db").write_bytes(b"SQLite format 3\0 and more")
    assert kind_of(tmp_path) is PathKind.FOLDER
    assert kind_of(tmp_path / "log.jsonl") is PathKind.REVIEW_LOG
    assert kind_of(tmp_path / "old.db") is PathKind.DATABASE
    assert kind_of(tmp_path / "empty.db") is PathKind.DOCUMENT
    assert kind_of(tmp_path / "words.db") is PathKind.DOCUMENT
    assert kind_of(tmp_path / "a.anything") is PathKind.DOCUMENT


def test_a_file_below_many_folders_is_found_without_resolving_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resolving a path looks at each folder above it, which takes minutes below a thousand."""
    monkeypatch.chdir(tmp_path)
    deepest = tmp_path.joinpath(*["d"] * 300)
    deepest.mkdir(parents=True)
    (deepest / "a.md").write_text("# A", encoding="utf-8")
    resolved = []
    resolve = Path.resolve

    def counted(path: Path, *, strict: bool = False) -> Path:
        resolved.append(path)
        return resolve(path, strict=strict)

    monkeypatch.setattr(Path, "resolve", counted)
    assert [path.name for path in find_documents([tmp_path]).documents] == ["a.md"]
    assert len(resolved) < 10
