"""Dialogs about one card, and what a screen can do with the one that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from studyattn.errors import StudyattnError
from studyattn.store.tags import FLAGS, tags_of
from studyattn.study import statistics
from studyattn.study.review.views import RenderedCard
from studyattn.text.figure import Figure
from studyattn.tui.dialogs.dialog import PageScreen, PickScreen
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.formatting import join_lines
from studyattn.tui.screens.base import StudyScreen, need, queued
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.figures import draw_figures


class CardPage(PageScreen):
    """Both faces of a card, and the way to what explains it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "screen.explain", "Read the explanation", show=False),
        Binding("i", "screen.history", "Show its reviews and forgetting curve", show=False),
    ]

    def __init__(self, shown: RenderedCard) -> None:
        super().__init__(shown.concept_title, lambda width: card_face.both(shown, width))
        self._shown = shown

    def keys(self) -> Iterable[tuple[str, str]]:
        return (("g", "explanation"), ("i", "history"), *super().keys())

    def action_explain(self) -> None:
        shown = self._shown
        self.services.go("concept", shown.concept_slug, explains=True, item=shown.guid)

    def action_history(self) -> None:
        self.app.push_screen(HistoryPage("History of this card", self._shown.guid))


class HistoryPage(PageScreen):
    """The reviews of an item and its forgetting curve, below what else is known of it."""

    def __init__(
        self, title: str, guid: str, above: Callable[[int], Content] | None = None
    ) -> None:
        """`above`: what stands before the figures, and is there at once."""
        super().__init__(title, self._drawn)
        self._guid = guid
        self._above = above
        self._figures: tuple[Figure, ...] = ()
        self._told = "Reading its reviews …"

    def on_mount(self) -> None:
        self.run_worker(self._read())

    async def _read(self) -> None:
        try:
            self._figures = await self.services.database.run_with_profile(
                lambda profile: statistics.pages.card_figures(profile, self._guid)
            )
        except StudyattnError as error:
            self._told = str(error)
        if self.is_mounted:
            self.paint()

    def _drawn(self, width: int) -> Content:
        figures = draw_figures(self._figures, width) if self._figures else Content(self._told)
        if self._above is None:
            return figures
        return join_lines([self._above(width), Content(), figures])


def faces_editor(front: str, back: str) -> EditorScreen:
    """Return an editor of the two faces of a card, `front` and `back`."""
    fields = (Field("front", "Front", front, 6), Field("back", "Back", back, 12))
    return EditorScreen("Edit the card", *fields)


class CardScreen(StudyScreen):
    """A screen that shows a card, and what can be done with it."""

    async def shown_card(self) -> RenderedCard | None:
        """Return the card, once it is read."""
        raise NotImplementedError

    async def save_faces(self, shown: RenderedCard, front: str, back: str) -> None:
        """Store faces that were changed."""
        raise NotImplementedError

    async def save_tags(self, shown: RenderedCard, tags: tuple[str, ...]) -> None:
        """Store tags that were changed."""
        raise NotImplementedError

    def media_of(self, shown: RenderedCard) -> Sequence[str]:
        """Return the names of the pictures and sounds that are on the screen."""
        return card_face.media_of(shown, revealed=True)

    async def action_edit(self) -> None:
        shown = need(await self.shown_card())
        need(shown.drill_id is None, "a drill's text can only be changed in its pack")

        async def save(written: Written) -> None:
            faces = written["front"], written["back"]
            if faces != shown.written:
                await self.save_faces(shown, *faces)

        self.ask(faces_editor(*shown.written), save)

    @queued
    async def action_tags(self) -> None:
        shown = need(await self.shown_card())

        async def save(written: Written) -> None:
            tags = tags_of([written["tags"]])
            if tags != shown.tags:
                await self.save_tags(shown, tags)

        told = f"With spaces between them. Flags are {', '.join(FLAGS)}."
        field = Field("tags", "", " ".join(shown.tags))
        self.ask(EditorScreen("Tags", field, explanation=told), save)

    async def action_media(self) -> None:
        """Open a picture or sound in the system's program; of several the one picked."""
        shown = need(await self.shown_card())

        async def open_one(name: str) -> None:
            if (path := shown.media / name).is_file():
                self.app.open_url(path.as_uri())
            else:
                self.show_hints(f"{name} is not in the folder {shown.media}")

        names = need(self.media_of(shown), "this card has no picture or sound")
        if len(names) == 1:
            await open_one(names[0])
        else:
            self.ask(PickScreen("Open", {name: name for name in names}), open_one)

    async def action_example(self) -> None:
        shown = await self.shown_card()
        found = card_face.offered_page(shown) if shown else None
        self.go(*need(found, "this card has no example"))

    async def action_explain(self) -> None:
        shown = need(await self.shown_card())
        self.go("concept", shown.concept_slug, explains=True, item=shown.guid)
