"""Read the front matter of a document: plain YAML, in the types that JSON has."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import yaml
from yaml.composer import ComposerError

from studyattn.errors import DocumentError

_LARGEST_NUMBER: Final = 2**64


class PlainLoader(yaml.SafeLoader):
    """Plain YAML without references to other values: a few lines can mean gigabytes."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose the next value. Raises ComposerError for a reference."""
        if self.check_event(yaml.AliasEvent):
            mark = self.get_event().start_mark  # type: ignore[no-untyped-call]  # left so by its stubs
            raise ComposerError(None, None, "a reference such as *name is not supported", mark)
        return super().compose_node(parent, index)


def read_front_matter(text: str, name: str) -> dict[str, Any]:
    """Return the values of a front matter. Raises DocumentError with the line in `name`."""
    try:
        read = _plain(yaml.load(text, PlainLoader))  # noqa: S506 - a SafeLoader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 2 + (mark.line if mark else 0)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise DocumentError(
            f"the front matter is not YAML: {problem}",
            where=f"{name}:{line}",
            advice="Put a text that contains a colon or begins with * in quotes",
        ) from error
    except (ValueError, RecursionError) as error:  # a date such as 2025-13-45
        raise DocumentError(f"the front matter is not YAML: {error}", where=f"{name}:2") from error
    if read is None:
        return {}
    if not isinstance(read, dict):
        raise DocumentError(
            "the front matter is not a mapping", where=f"{name}:2", advice="Write key: value lines"
        )
    return read


def _plain(value: Any) -> Any:
    """YAML's values in the types that JSON has: a date becomes its ISO form."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if value is None or isinstance(value, str):
        return value
    # Not every reader of JSON takes an infinity, or endless digits.
    is_plain = isinstance(value, int | float) and abs(value) < _LARGEST_NUMBER
    return value if is_plain else f"{value}"
