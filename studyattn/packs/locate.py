"""The places of packs: those that ship with the program, and those in the learner's home.

By its digest a start knows, without reading a pack's Markdown, that it did not change.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable
from glob import glob
from pathlib import Path
from typing import Any, Final, NamedTuple

from studyattn.bundled import content_dir
from studyattn.errors import NotFoundError
from studyattn.home import Home


def installed_packs(home: Home | None = None) -> list[Path]:
    """The folders of all packs, built-in ones first, each kind by name."""
    roots = [content_dir()] if home is None else [content_dir(), home.packs]
    return [manifest.parent for root in roots for manifest in sorted(root.glob("*/pack.toml"))]


def pack_folders(home: Home) -> dict[str, Path]:
    """Return the folder of each installed pack by its id; the first where two have the same one.

    A pack whose pack.toml cannot be read goes by the name of its folder.
    """
    folders: dict[str, Path] = {}
    for folder in installed_packs(home):
        folders.setdefault(str(manifest(folder, "id") or folder.name), folder)
    return folders


def taught_after(folder: Path) -> tuple[str, ...]:
    """Return the ids of the packs that a pack comes after; none if its pack.toml is unreadable."""
    return tuple(map(str, manifest(folder, "after")))


def manifest(folder: Path, key: str) -> Any:
    """Return what a pack.toml says under a key; () where it is unreadable, or lacks the key."""
    try:
        text = (folder / "pack.toml").read_text(encoding="utf-8")
        if key in text:
            import tomllib  # late: a start waits

            return tomllib.loads(text).get(key, ())
    except (OSError, ValueError):
        pass
    return ()


def place_of(pack: str, order: str, after: Iterable[str] = ()) -> int | None:
    """Return the place of a pack among those of the setting `packs`; None if it is put aside.

    Packs that the setting does not name share the place after the last, but for one that comes
    `after` others: it has the place after theirs.
    """
    named = order.split(", ")
    if f"-{pack}" in named:
        return None
    groups = [_shares(each) for each in named if each[:1] not in {"", "-"}]
    own = next((at for at, each in enumerate(groups) if pack in each), None)
    if own is not None:
        return own
    earlier = [place_of(each, order) for each in after]
    return max([len(groups), *(1 + place for place in earlier if place is not None)])


def share_of(pack: str, order: str) -> int:
    """Return how many concepts of a pack come for one of another pack that it is mixed with."""
    return next((each[pack] for each in map(_shares, order.split(", ")) if pack in each), 1)


def _shares(group: str) -> dict[str, int]:
    parts = (each.rpartition("*") for each in group.split("+"))
    return {name: int(share or 1) for share, _, name in parts}


def check_order(order: str, home: Home) -> None:
    """Raise NotFoundError for a setting `packs` that names a pack which is not installed."""
    known = pack_folders(home)
    for name in re.findall(r"(?:\d+\*)?([^\s,+*-][^\s,+*]*)", order):
        if name not in known:
            raise NotFoundError(
                f"there is no pack {name!r}", advice="`studyattn pack list` lists them."
            )


def known_goals(home: Home) -> list[str]:
    """Return what the setting `goal` may be, the path's own order first."""
    routes = (manifest(folder, "routes") for folder in pack_folders(home).values())
    return [*dict.fromkeys(["", *(goal for each in routes for goal in each)])]


def with_goal(goal: str, chosen: str, home: Home) -> str:
    """Return the setting `goal` with another one for the packs that have a route to `chosen`."""
    if not chosen:
        return ""  # each pack goes its usual way
    routes = [{*manifest(folder, "routes")} for folder in pack_folders(home).values()]
    others = (each for each in goal.split(", ") if not any({each, chosen} <= own for own in routes))
    return ", ".join(filter(None, [*others, chosen]))


class Capstone(NamedTuple):
    """Something that runs as a whole once its drills have passed."""

    title: str
    drills: tuple[str, ...]
    run: str  # the command that shows it


def capstones_of(table: Any) -> tuple[Capstone, ...]:
    """Return the capstones of a pack.toml: `"write text" = "embed, block: studyattn gpt say"`.

    What is no such text is left out: `packs.read` refuses it.
    """
    said = table if isinstance(table, dict) else {}
    texts = ((title, each) for title, each in said.items() if isinstance(each, str))
    found = ((title, *each.partition(":")[::2]) for title, each in texts)
    return tuple(
        Capstone(title, tuple(each.strip() for each in drills.split(",")), run.strip())
        for title, drills, run in found
    )


def check_goal(goal: str, home: Home) -> None:
    """Raise NotFoundError for a setting `goal` that no pack has a route to."""
    known = known_goals(home)
    wrong = next((each for each in goal.split(", ") if each not in known), None)
    if wrong is not None:
        names = ", ".join(filter(None, known))
        raise NotFoundError(
            f"no pack has a route to the goal {wrong!r}",
            advice=f"Goals are {names}; empty is none.",
        )


def drill_titles(home: Home) -> dict[str, str]:
    """Return the title of each drill of the installed packs by its id, packs and ids in order.

    It is read off the line of the brief, which is not checked: a brief without one gives "".
    """
    titles: dict[str, str] = {}
    for folder in installed_packs(home):
        for file in sorted(folder.glob("drills/*/brief.md")):
            if file.parent.name not in titles:
                titles[file.parent.name] = _title(file)
    return titles


def _title(brief: Path) -> str:
    try:
        with brief.open(encoding="utf-8") as file:
            for _, line in zip(range(_FRONT_MATTER), file, strict=False):
                if line.startswith("title:"):
                    return line.removeprefix("title:").strip().strip("\"'")
    except (OSError, ValueError):
        pass
    return ""


_FRONT_MATTER = 40  # lines; no front matter of a brief is longer


FORMAT: Final = 4
"""Goes up when other things are kept of the same files, so that every pack is taken over anew."""

_PATTERNS: Final = ("pack.toml", "concepts/*.md", "drills/*/brief.md", "bugs/*.md")


def digest_with(digest: str, goal: str, share: int) -> str:
    """Return a pack's checksum with what the learner has chosen that changes its rows."""
    return " ".join(filter(None, [digest, goal, f"{share}*" if share > 1 else ""]))


def pack_digest(folder: Path) -> str:
    """Return a checksum of the names and contents of all files that reach the database."""
    total = FORMAT
    # Every command waits for it, and pathlib takes twice as long.
    for pattern in _PATTERNS:
        found = glob(pattern, root_dir=folder, include_hidden=True)  # noqa: PTH207
        for parts in sorted(file.split(os.sep) for file in found):  # noqa: PTH206
            name = "/".join(parts)
            total = zlib.crc32(f"\0{name}\0".encode(), total)
            with open(f"{folder}/{name}", "rb", buffering=0) as file:  # noqa: PTH123
                total = zlib.crc32(file.read(), total)
    return f"{total:08x}"
