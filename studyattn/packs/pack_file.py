"""A pack as one file to hand out: a ZIP archive that is the same for the same content.

Who hands a pack out tells its digest with it, so that whoever adds it knows that it is the same
one: a pack is a program.
"""

from __future__ import annotations

import contextlib
import hashlib
import stat
import zipfile
from collections.abc import Iterator
from itertools import filterfalse
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from studyattn.archives import BROKEN
from studyattn.errors import InputError
from studyattn.packs.check import structure
from studyattn.packs.read import load_pack

SUFFIX: Final = ".pack.zip"
MAX_SIZE: Final = 256 << 20
"""Bytes of all files of a pack: more is no pack."""

_MOMENT: Final = (1980, 1, 1, 0, 0, 0)  # the first that a ZIP archive knows


def build_pack(folder: Path, target: Path | None = None) -> tuple[Path, str]:
    """Write the pack in `folder` into one file, and return that file and its digest.

    Without `target` it is called by the pack's id and version, here. Raises PackError for the first
    thing in the pack that cannot be used, and InputError for a link and when the file is there
    already or cannot be written.
    """
    pack = load_pack(folder)
    finding = next(structure.check(pack), None)
    if finding is not None:
        raise InputError(finding.message, where=str(finding.place))
    target = target or Path(f"{pack.id}-{pack.version}{SUFFIX}")
    if target.exists():
        raise InputError(
            "this file already exists", where=str(target), advice="Choose another with -o."
        )
    files = list(_files(folder))
    try:
        with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                name = f"{pack.id}/{path.relative_to(folder).as_posix()}"
                entry = zipfile.ZipInfo(name, _MOMENT)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (stat.S_IFREG | 0o644) << 16
                archive.writestr(entry, path.read_bytes())
        return target, digest_of(target)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(target)) from error


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a pack. InputError for a link."""
    for path in sorted(folder.rglob("*")):
        if _is_left_out(path, folder):
            continue
        if path.is_symlink():
            raise InputError(
                "this is a link to a file that others do not have",
                where=str(path),
                advice="Copy it.",
            )
        if path.is_file():
            yield path


def _is_left_out(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return any(part.startswith(".") or part == "__pycache__" for part in parts)


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextlib.contextmanager
def unpacked(file: Path, digest: str | None = None) -> Iterator[Path]:
    """Give the folder of the pack in a file that `build_pack` wrote, until the end.

    InputError when it is no such file, or has another digest than `digest`.
    """
    try:
        found = digest_of(file)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(file)) from error
    if digest is not None and found != digest.lower():
        raise InputError(
            f"its digest is {found}, so it is not the file you expected",
            where=str(file),
            advice="Download it again, or ask its author.",
        )
    with TemporaryDirectory(prefix="studyattn-pack-") as place:
        try:
            folder = _unpack(file, Path(place))
        except (OSError, *BROKEN) as error:
            raise InputError(
                "this is not a pack",
                where=str(file),
                advice="`studyattn pack build DIR` makes one.",
            ) from error
        yield folder


def _unpack(file: Path, place: Path) -> Path:
    """Unpack regular files that stay below `place`. ValueError for anything else."""
    with zipfile.ZipFile(file) as archive:
        entries = [*filterfalse(zipfile.ZipInfo.is_dir, archive.infolist())]
        names = [PurePosixPath(entry.filename) for entry in entries]
        tops = {name.parts[0] for name in names if len(name.parts) > 1}
        if len(tops) != 1 or sum(entry.file_size for entry in entries) > MAX_SIZE:
            raise ValueError(file)
        for entry, name in zip(entries, names, strict=True):
            if not _is_regular(entry):
                raise ValueError(entry.filename)
            target = place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as opened:
                target.write_bytes(opened.read(entry.file_size + 1))
    return place / tops.pop()


def _is_regular(entry: zipfile.ZipInfo) -> bool:
    """Return whether it is a file, and no link, below the folder that it is unpacked in."""
    name = PurePosixPath(entry.filename)
    return not (name.is_absolute() or ".." in name.parts or stat.S_ISLNK(entry.external_attr >> 16))
