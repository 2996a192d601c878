"""Archives that somebody else made: what Python raises for one that cannot be read."""

from __future__ import annotations

import lzma
import struct
import tarfile
import zipfile
import zlib
from typing import Final

BROKEN: Final = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, ValueError, RuntimeError),
)
"""The errors of an archive that was cut off, changed or locked; OSError comes besides."""
