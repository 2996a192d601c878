"""Read a pack's folder into a `Pack`, strictly: what the format does not know is an error.

The format is described in docs/pack-format.md. Whether the parts of a pack fit together and the
content is any good (names that lead somewhere, examples that run, cards that fit, drills that judge
rightly) is for `check` to say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from studyattn.errors import DocumentError, PackError
from studyattn.packs.briefs import read_brief
from studyattn.packs.bugs import read_bug
from studyattn.packs.concepts import read_concept
from studyattn.packs.errata import read_errata
from studyattn.packs.fields import Fields, is_pack_id
from studyattn.packs.locate import capstones_of, pack_digest
from studyattn.packs.model import Concept, Pack, SourceLocation

T = TypeVar("T")
_Reader = Callable[[str, Path], tuple[T, list[PackError]]]


@dataclass(frozen=True, slots=True)
class PackReading:
    """A pack as far as it could be read, and every reason why it is not whole."""

    pack: Pack
    problems: tuple[PackError, ...]


def load_pack(folder: Path) -> Pack:
    """The pack in `folder`. Raises the first PackError, in the order of file and line."""
    reading = read_pack(folder)
    if reading.problems:
        raise reading.problems[0]
    return reading.pack


def read_pack(folder: Path) -> PackReading:
    """Everything that can be read of the pack in `folder`.

    Raises PackError when there is no readable `pack.toml`: then there is no pack.
    """
    manifest = folder / "pack.toml"
    fields = Fields(_read_toml(manifest), SourceLocation(str(manifest), 1))
    problems: list[PackError] = []
    concepts = _each(_files(folder / "concepts", "*.md"), read_concept, problems)
    briefs = _each(_files(folder / "drills", "*/brief.md"), read_brief, problems)
    bugs = _each(_files(folder / "bugs", "*.md"), read_bug, problems)
    errata = _each(_files(folder, "errata.md"), read_errata, problems)
    path = fields.texts("path")
    by_slug = {concept.slug: concept for concept in concepts}
    pack = Pack(
        id=_id(fields),
        title=fields.text("title"),
        version=fields.text("version"),
        language=fields.text("language", default="en"),
        path=path,
        goals=fields.texts("goals", default=()),
        capstones=capstones_of(fields.mapping("capstones")),
        after=fields.texts("after", default=()),
        routes={
            name: tuple(slug.strip() for slug in slugs.split(","))
            for name, slugs in fields.mapping("routes").items()
        },
        folder=folder,
        digest=pack_digest(folder),
        concepts={slug: by_slug[slug] for slug in path if slug in by_slug},
        drills={brief.id: brief for brief in briefs},
        bugs={bug.misconception: bug for bug in bugs},
        errata=tuple(each for found in errata for each in found),
    )
    fields.refuse_others()
    problems.extend(_path_problems(pack, by_slug, fields.place))
    problems.extend(_identity_problems(concepts, pack))
    return PackReading(pack, tuple(problems))


def _read_toml(manifest: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(manifest.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        folder = manifest.parent
        if folder.is_dir():
            what = "this is not a pack: pack.toml is missing"
        else:
            what = "this is a file" if folder.exists() else "there is no such folder"
        raise PackError(what, where=str(folder), advice="Give the folder of a pack") from error
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at line ")
        line = place.partition(",")[0]
        where = f"{manifest}:{line}" if line.isdigit() else str(manifest)
        raise PackError(f"is not TOML: {message}", where=where) from error
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise PackError(f"cannot be read: {why}", where=str(manifest)) from error


def _id(fields: Fields) -> str:
    identifier = fields.text("id")
    if not is_pack_id(identifier):
        raise fields.place.error(
            f"{identifier!r} is not a valid pack id",
            "Use up to 40 lowercase letters, digits and hyphens",
        )
    return identifier


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(folder.glob(pattern))


def _each(files: Iterable[Path], read: _Reader[T], problems: list[PackError]) -> list[T]:
    """Each file's content; one that cannot be read is a problem and is left out."""
    found: list[T] = []
    for file in files:
        try:
            content, inside = read(file.read_text(encoding="utf-8"), file)
        except PackError as error:
            problems.append(error)
        except DocumentError as error:
            problems.append(PackError(error.message, where=error.where, advice=error.advice))
        except (OSError, UnicodeDecodeError) as error:
            problems.append(PackError(f"cannot be read: {error}", where=str(file)))
        else:
            found.append(content)
            problems.extend(inside)
    return found


def _path_problems(
    pack: Pack, by_slug: dict[str, Concept], place: SourceLocation
) -> Iterable[PackError]:
    seen: set[str] = set()
    for slug in pack.path:
        if slug in seen:
            yield place.error(f"path lists {slug!r} twice")
        elif slug not in by_slug:
            yield place.error(
                f"path lists {slug!r}, but there is no such concept",
                f"Write concepts/{slug}.md or take it out of the path",
            )
        seen.add(slug)
    for slug, concept in by_slug.items():
        if slug not in seen:
            yield concept.place.error(f"the path in pack.toml does not list {slug!r}")


def _identity_problems(concepts: list[Concept], pack: Pack) -> Iterable[PackError]:
    """Refuse an id that occurs twice: two things would share one memory."""
    cards = ((card.id, card.place) for concept in concepts for card in concept.cards)
    examples = ((example.id, example.place) for example in pack.examples())
    errata = ((erratum.id, erratum.place) for erratum in pack.errata)
    for what, named in (("card", cards), ("example", examples), ("erratum", errata)):
        first: dict[str, SourceLocation] = {}
        for identifier, place in named:
            if identifier in first:
                yield place.error(
                    f"the id of this {what}, {identifier!r}, is also at {first[identifier]}",
                    "Give each its own",
                )
            first.setdefault(identifier, place)
