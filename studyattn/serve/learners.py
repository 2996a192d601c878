"""The learners who may log in, and the hashes of their passwords: a file that only its owner reads.

Hashes are Argon2id's, by argon2-cffi with its own parameters.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

from studyattn.disk import reason, replace_file
from studyattn.errors import InputError, NotFoundError

SHORTEST = 8
"""Characters of a password."""


class Learners:
    """The file of the learners, read anew at each question: adding one needs no restart."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def names(self) -> list[str]:
        """Return who may log in. Raises InputError for a file that is damaged or not readable."""
        return sorted(self.hashes())

    def hashes(self) -> dict[str, str]:
        """Return the hash of each learner's password. Raises InputError as `names` does."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._error(f"cannot be read ({reason(error, self.file.parent)})") from error
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise InputError(
                "this is not a list of learners",
                where=str(self.file),
                advice="Delete it, and add them again with --add-learner",
            )
        return {str(name): str(value) for name, value in found.items()}

    def add(self, name: str, password: str) -> None:
        """Add a learner, or change the password.

        Raises InputError for a short one, and when the file cannot be written.
        """
        from argon2 import PasswordHasher

        if len(password) < SHORTEST:
            raise InputError(f"a password has at least {SHORTEST} characters")
        self._write({**self.hashes(), name: PasswordHasher().hash(password)})

    def remove(self, name: str) -> None:
        """Take a learner's log-in away; what was learned stays.

        Raises NotFoundError for nobody's name, InputError when the file cannot be written.
        """
        hashes = self.hashes()
        if name not in hashes:
            raise NotFoundError(f"no learner {name!r} can log in here")
        del hashes[name]
        self._write(hashes)

    def right_hash(self, name: str, password: str) -> str | None:
        """Return the hash that the password fits. Takes as long for a name that nobody has."""
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        known = self.hashes().get(name)
        try:
            PasswordHasher().verify(known or _nobodys_hash(), password)
        except (VerificationError, InvalidHashError):
            return None
        return known

    def _write(self, hashes: dict[str, str]) -> None:
        try:
            replace_file(self.file, json.dumps(hashes, indent=1).encode(), mode=0o600)
        except OSError as error:
            raise self._error(f"cannot be written ({reason(error, self.file.parent)})") from error

    def _error(self, what: str) -> InputError:
        return InputError(
            f"the list of learners {what}",
            where=str(self.file),
            advice="Check its folder, or choose another with --home.",
        )


@cache
def _nobodys_hash() -> str:
    from argon2 import PasswordHasher

    return str(PasswordHasher().hash(os.urandom(16).hex()))
