"""The tree of errors that studyattn raises on purpose. Everything else that escapes is a bug.

    StudyattnError
    ├── InputError              what was given cannot be used            exit status 2
    │   ├── DocumentError       a source document or note; has file:line
    │   ├── PackError           a pack's file; has file:line
    │   │   └── DrillError      a drill's checks, when they are loaded or asked; has file:line
    │   ├── NotFoundError       no such card, drill, concept, file, device
    │   └── SettingError        a setting outside its range
    ├── StoreError              the database cannot be opened, read or written
    │   ├── DamagedDatabaseError    its integrity check failed; never written to
    │   ├── FullDiskError           there is no room left on its disk
    │   └── NewerDatabaseError      made by a newer studyattn
    ├── ModelPartError          a part of a model cannot be used         exit status 1
    └── GradingError            nothing could be graded (not: graded and found wrong)

A message is one line that says what was wrong; `where` says where, `advice` what to do.
"""

from __future__ import annotations


class StudyattnError(Exception):
    """Something went wrong that a learner can be told about in one line."""

    exit_status = 2

    def __init__(self, message: str, *, where: str = "", advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.advice = advice

    def __str__(self) -> str:
        """`where: message. advice`, on one line, whatever the parts contained."""
        text = f"{self.where}: {self.message}" if self.where else self.message
        if self.advice:
            text = f"{text.rstrip('.')}. {self.advice}"
        return " ".join(text.split())


class InputError(StudyattnError):
    """The input cannot be used."""


class DocumentError(InputError):
    """A source document that cannot be imported; `where` is `file:line`."""


class PackError(InputError):
    """A file of a pack that does not say what it must; `where` is `file:line`."""


class DrillError(PackError):
    """A drill that cannot be loaded or asked; `where` is the `file:line` of the pack to mend."""


class NotFoundError(InputError):
    """There is no such card, drill, concept, file or device."""


class SettingError(InputError):
    """A setting outside its range."""


class StoreError(StudyattnError):
    """The database cannot be opened, read or written."""


class DamagedDatabaseError(StoreError):
    """The database failed its integrity check and is not written to."""


class FullDiskError(StoreError):
    """There is no room left on the disk. What was saved is kept, and reading goes on."""


class NewerDatabaseError(StoreError):
    """The database was made by a newer studyattn than this one."""


class ModelPartError(StudyattnError):
    """A part of a model cannot be used: it raises, is too slow or returns what is wrong.

    `part` is its entry.
    """

    exit_status = 1

    def __init__(self, message: str, *, part: str, where: str = "", advice: str = "") -> None:
        super().__init__(message, where=where, advice=advice)
        self.part = part


class GradingError(StudyattnError):
    """Nothing could be graded; a submission that was graded and is wrong is not an error."""
