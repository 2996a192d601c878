"""Image occlusion: the parts of a picture that a card covers, and the picture with them covered.

A note of Anki's says in clozes which parts of its picture are covered, in shares of the picture's
width and height. The two sides of a card become pictures of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Final, NamedTuple

OCCLUSION: Final = "image-occlusion:"
"""Begins the text of a cloze that covers a part of a picture."""
SHAPE: Final = re.compile(r"\{\{c(\d+)::image-occlusion:(\w+):?([^{}]*)\}\}")
_AROUND: Final = re.compile(rf"{SHAPE.pattern}|<button\b.*?</button>", re.DOTALL)
_DRAWN: Final = frozenset({"rect", "ellipse", "polygon"})
_FARTHEST: Final = 10.0
"""Widths or heights of a picture from its corner to that of a shape."""
_ASKED, _OTHER, _LINE = "#ff8e8e", "#ffeba2", "#212121"


Covers = tuple[str, int, bool]
"""The shapes over a picture, the card of image occlusion, and whether the side answers."""


class Cover(NamedTuple):
    """A shape over a part of a picture, in shares of its width and height."""

    group: int
    kind: str
    said: Mapping[str, str]

    @property
    def can_be_drawn(self) -> bool:
        """True for a shape near its picture that Anki has not turned."""
        try:
            turned = float(self.said.get("angle", 0))
            corners = self.points(1, 1)
        except ValueError:
            return False
        near = all(abs(share) <= _FARTHEST for corner in corners for share in corner)  # and no NaN
        return self.kind in _DRAWN and not turned and near and len(corners) > 1

    def points(self, width: int, height: int) -> Sequence[tuple[float, float]]:
        """Return its corners in pixels: of a polygon all, else the upper left and lower right."""
        if self.kind == "polygon":
            pairs = (each.split(",") for each in self.said.get("points", "").split())
            return [(float(x) * width, float(y) * height) for x, y in pairs]
        left, top, w, h, rx, ry = (
            float(self.said.get(each, 0)) for each in ("left", "top", "width", "height", "rx", "ry")
        )
        xs = sorted((left * width, (left + (w or 2 * rx)) * width))
        ys = sorted((top * height, (top + (h or 2 * ry)) * height))
        return [*zip(xs, ys, strict=True)]


def covers_in(text: str) -> Sequence[Cover]:
    """Return the shapes in a text, without labels."""
    return [
        Cover(int(group), kind, dict(re.findall(r"(\w+)=([^:]*)", said)))
        for group, kind, said in SHAPE.findall(text)
        if kind != "text"
    ]


def without_covers(html: str) -> str:
    """Return a side of a card without its shapes, and without the button that takes them away."""
    return _AROUND.sub("", html)


def drawn(picture: bytes, shapes: str, group: int, *, answers: bool) -> bytes | None:
    """Return a picture as PNG with what a side of the card `group` covers; None for no picture.

    `shapes` is the text that names them. What is asked is covered by the question and framed by the
    answer; other parts are covered where the note says so.
    """
    from PIL import Image, ImageDraw, ImageOps  # late: it comes with an extra of its own

    try:
        image = ImageOps.exif_transpose(Image.open(BytesIO(picture))).convert("RGBA")
        draw = ImageDraw.Draw(image)
        for cover in covers_in(shapes):
            asked = cover.group == group
            if not (asked or cover.said.get("oi") == "1"):
                continue
            fill = None if asked and answers else _ASKED if asked else _OTHER
            outline = _ASKED if fill is None else _LINE
            shape = {"rect": draw.rectangle, "ellipse": draw.ellipse, "polygon": draw.polygon}
            points = [*cover.points(*image.size)]
            shape[cover.kind](points, fill=fill, outline=outline, width=2 + image.width // 400)
        made = BytesIO()
        image.save(made, "PNG")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return made.getvalue()
