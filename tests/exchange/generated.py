"""Snapshot of any learner, as hypothesis strategies: whatever someone may have typed is in them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, get_args

from hypothesis import strategies as st
from msgspec.structs import replace

from studyattn.exchange.merge.decided import settled
from studyattn.memory import learner_day
from studyattn.store.snapshot import (
    AnkiCardRecord,
    AnkiNoteRecord,
    AnkiTypeRecord,
    AttemptRecord,
    BroughtBackRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    DecisionRecord,
    ItemRecord,
    MemoryStartRecord,
    NoteRecord,
    PracticeStepRecord,
    RatingName,
    ReviewRecord,
    SettingRecord,
    Snapshot,
    SourceRecord,
    WordingRecord,
    present_wordings,
)
from studyattn.store.tags import tags_of
from studyattn.store.vocabulary import STATES

FIRST = datetime(2026, 1, 1, tzinfo=UTC)

SNIPPETS = (
    "Because $\\sqrt{d_k}$ grows.",
    "## A heading\n\ntext",
    "Setext\n======\n\nx",
    "```python\nx = '==a=='\n```",
    "```\nnever closed",
    "- a\n  - b\n\n      code",
    "<!-- comment",
    "<!-- studyattn card {} -->",
    "<!-- /studyattn -->",
    "<script>\nlet a",
    "---\ntitle: x\n---",
    "> quote\n> more",
    "$$\n\\frac{a}{b}\n$$",
    "The ==2|gap== and the ==1|other==",
    "tab\tseparated\nrow\ttwo",
    "  two spaces\n\n\n\nthree lines",
    "a --> b",
    "bell \x07 and nul \x00",
    "line\u2028separator \x85 \x0b",
    "windows\r\nline",
    "# one #",
    "日本語 ∑ 🙂",
    "[[concept]] [link](https://a.b/c_(d))",
    "1. x\n2. y",
    "````\n```\n````",
    "    ",
    "",
)

texts = st.one_of(
    st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=3).map("\n\n".join),
    st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=3).map("\n".join),
    st.text(st.characters(codec="utf-8"), max_size=40),
)
instants = st.integers(0, 300 * 86400).map(lambda seconds: FIRST + timedelta(seconds=seconds))
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
states = st.sampled_from(STATES)


ends = st.none() | instants


def _some(draw: st.DrawFn, names: list[str]) -> str | None:
    return draw(st.sampled_from([None, *names]))


@st.composite
def snapshot(draw: st.DrawFn, *, pack: str | None = "attention") -> Snapshot:
    """What one database holds, all of its references in order."""
    sources = [draw(_source(f"source-{n}")) for n in range(draw(st.integers(0, 2)))]
    source_guids = [each.guid for each in sources]
    slugs = [f"concept-{n}" for n in range(draw(st.integers(1, 4)))]
    changes: list[ConceptChangeRecord] = []
    concepts: list[ConceptRecord] = []
    for place, slug in enumerate(slugs):
        own = [draw(_change(slug)) for _ in range(draw(st.integers(0, 2)))]
        changes += own
        last = max(own, key=lambda each: each.at, default=None)
        belongs = draw(st.sampled_from([None, pack]))
        root = _some(draw, slugs[:place]) if belongs is None else None
        roots = {each.slug: each.joined_into or each.slug for each in concepts}
        needs = draw(st.sets(st.sampled_from(slugs[:place]))) if place else set()
        concepts.append(
            ConceptRecord(
                slug=slug,
                title=draw(texts),
                state=last.to_state if last else "unseen",
                body=draw(texts),
                pack=belongs,
                source=None if belongs else _some(draw, source_guids),
                joined_into=roots.get(root or ""),
                position=draw(st.integers(0, 3)),
                core=draw(st.booleans()),
                retired=False,
                requires=tuple(sorted(needs)),
            )
        )
    items = [
        draw(_item(f"item-{n}", slugs, source_guids, pack)) for n in range(draw(st.integers(0, 5)))
    ]
    drills = [draw(_drill(f"attention:drill/d{n}", slugs)) for n in range(draw(st.integers(0, 2)))]
    guids = [each.guid for each in (*items, *drills)]
    notes = [
        draw(_note(f"note-{n}", slugs, source_guids, guids)) for n in range(draw(st.integers(0, 3)))
    ]
    attempts = [
        draw(_attempt(f"attempt-{n}", [each.guid for each in drills]))
        for n in range(draw(st.integers(0, 3)) if drills else 0)
    ]
    held = Snapshot(
        sources=tuple(sources),
        concepts=tuple(concepts),
        changes=tuple(changes),
        items=(*items, *drills),
        notes=tuple(notes),
        reviews=tuple(draw(_reviews(guids))) if guids else (),
        starts=tuple(draw(_start(guid)) for guid in guids if draw(st.booleans())),
        anki_types=tuple(draw(st.lists(_ANKI_TYPE, max_size=1))),
        anki_notes=tuple(draw(st.lists(_ANKI_NOTE, max_size=1))),
        anki_cards=tuple(draw(_anki_card(guid)) for guid in guids if draw(st.booleans())),
        attempts=tuple(attempts),
        steps=tuple(
            PracticeStepRecord(
                f"step-{n}", guid, FIRST, 60, FIRST.date(), "kept", n, draw(texts), 2.0
            )
            for n, guid in enumerate(guids[:2])
        ),
        brought_back=tuple(
            BroughtBackRecord(
                f"back-{n}", guid, "a", "m", draw(texts), FIRST, FIRST.date(), draw(ends)
            )
            for n, guid in enumerate(guids[:2])
        ),
        settings=tuple(draw(_settings())),
    )
    wordings = {draw(_wording(each.guid)) for each in notes if draw(st.booleans())}
    held = replace(held, wordings=tuple(wordings - present_wordings(held)))
    return replace(
        held, decisions=tuple(draw(decisions(settled(held, {each.guid for each in held.items}))))
    ).ordered()


@st.composite
def decisions(draw: st.DrawFn, held: Snapshot) -> list[DecisionRecord]:
    """The decisions on what there is: some are older than decisions, the others have a time."""
    return [
        each
        if draw(st.booleans())
        else replace(each, at=draw(instants), replica=draw(st.sampled_from("abc")))
        for each in (*held.decisions, *_unsaid(held))
        if each.field != "removed" or draw(st.booleans())
    ]


def _unsaid(held: Snapshot) -> Iterator[DecisionRecord]:
    """Decisions that no record shows: what a note is about, and that one was removed."""
    for note in held.notes:
        about = [note.concept, note.source, note.item]
        yield DecisionRecord("note", note.guid, "about", about, FIRST, "a")
    there = {note.guid for note in held.notes}
    for guid in ("note-0", "note-1", "note-2"):
        if guid not in there:
            yield DecisionRecord("note", guid, "removed", True, FIRST, "a")


@st.composite
def _source(draw: st.DrawFn, guid: str) -> SourceRecord:
    return SourceRecord(
        guid=guid,
        kind=draw(st.sampled_from(("qa", "note", "slides"))),
        title=draw(texts),
        path=draw(texts),
        text=draw(texts),
        digest=draw(texts),
        front_matter=draw(st.dictionaries(texts, json_values, max_size=2)),
        imported_at=draw(instants),
    )


@st.composite
def _change(draw: st.DrawFn, slug: str) -> ConceptChangeRecord:
    return ConceptChangeRecord(
        slug, draw(instants), draw(states), draw(states), draw(texts), "learner"
    )


@st.composite
def _item(
    draw: st.DrawFn, guid: str, slugs: list[str], sources: list[str], pack: str | None
) -> ItemRecord:
    belongs = draw(st.sampled_from([None, pack]))
    links = [{"text": draw(texts), "address": draw(texts)}] if draw(st.booleans()) else None
    card = CardRecord(
        kind=draw(st.sampled_from(("basic", "cloze", "typed", "numeric", "computed", "bug"))),
        front=draw(texts),
        back=draw(texts),
        answer=draw(st.none() | texts),
        extra={"links": links} if links else draw(st.dictionaries(texts, json_values, max_size=1)),
        digest="" if belongs else draw(st.sampled_from(("ab" * 32, "cd" * 32))),
        edited_at=draw(st.none() | instants),
        sibling_group=draw(st.none() | st.just("group")),
    )
    return ItemRecord(
        guid=guid,
        kind="card",
        concept=draw(st.sampled_from(slugs)),
        source=_some(draw, sources),
        pack=belongs,
        position=draw(st.integers(0, 3)),
        created_at=draw(instants),
        suspended=draw(st.booleans()),
        marked=draw(st.booleans()),
        retired=False,
        buried_until=draw(st.none() | st.just(date(2026, 2, 3))),
        card=card,
        tags=tags_of(draw(st.sets(st.sampled_from(("heads", "a::b", "flag:red", "Größe"))))),
    )


@st.composite
def _drill(draw: st.DrawFn, guid: str, slugs: list[str]) -> ItemRecord:
    return ItemRecord(
        guid=guid,
        kind="drill",
        concept=draw(st.sampled_from(slugs)),
        source=None,
        pack="attention",
        position=draw(st.integers(0, 3)),
        created_at=draw(instants),
        suspended=False,
        marked=False,
        retired=False,
        buried_until=None,
        card=None,
    )


@st.composite
def _note(
    draw: st.DrawFn, guid: str, slugs: list[str], sources: list[str], items: list[str]
) -> NoteRecord:
    where = draw(st.sampled_from(("concept", "source", "item", "nothing")))
    made = draw(instants)
    return NoteRecord(
        guid=guid,
        title=draw(texts),
        body=draw(texts),
        concept=_some(draw, slugs) if where == "concept" else None,
        source=_some(draw, sources) if where == "source" else None,
        item=_some(draw, items) if where == "item" else None,
        created_at=made,
        updated_at=max(made, draw(instants)),
    )


@st.composite
def _wording(draw: st.DrawFn, guid: str) -> WordingRecord:
    return WordingRecord(guid, draw(st.none() | instants), draw(texts), draw(texts))


@st.composite
def _reviews(draw: st.DrawFn, guids: list[str]) -> list[ReviewRecord]:
    made: list[ReviewRecord] = []
    for number in range(draw(st.integers(0, 6))):
        at = draw(instants)
        taken_back = draw(st.sampled_from([None, *(each.uuid for each in made)]))
        guid = next((e.item_guid for e in made if e.uuid == taken_back), None)
        made.append(
            ReviewRecord(
                uuid=f"review-{number}",
                item_guid=guid or draw(st.sampled_from(guids)),
                rating=None if taken_back else draw(st.sampled_from(get_args(RatingName))),
                withdraws=taken_back,
                at=at,
                utc_offset=60,
                learner_day=learner_day(at, 60),
                seconds=draw(st.floats(0, 600)),
                origin="learner",
            )
        )
    return made


@st.composite
def _start(draw: st.DrawFn, guid: str) -> MemoryStartRecord:
    at = draw(instants)
    memory = draw(st.sampled_from([(None, None), (30.0, 2500.0), (12.345, 512.75)]))
    return MemoryStartRecord(guid, at, 60, learner_day(at, 60), *memory)


_ANKI_TYPE = st.builds(AnkiTypeRecord, st.just("17"), st.integers(0, 9), texts)
_ANKI_NOTE = st.builds(
    *(AnkiNoteRecord, st.just("note"), st.integers(1, 9), st.just("17"), st.integers(0, 9)),
    *(texts, texts, st.dictionaries(texts, texts, max_size=2)),
)


@st.composite
def _anki_card(draw: st.DrawFn, guid: str) -> AnkiCardRecord:
    number = draw(st.integers(0, 9))
    schedule = f'[2,2,{number},5,2500,1,0,0,0,"{{}}"]'
    return AnkiCardRecord(
        *(guid, "note", number, number, draw(texts), number, draw(texts), schedule, "[]", 0)
    )


@st.composite
def _attempt(draw: st.DrawFn, uuid: str, guids: list[str]) -> AttemptRecord:
    at = draw(instants)
    return AttemptRecord(
        uuid=uuid,
        item_guid=draw(st.sampled_from(guids)),
        at=at,
        utc_offset=-300,
        learner_day=learner_day(at, -300),
        code=draw(texts),
        backend=draw(st.sampled_from(("torch", "numpy"))),
        device="cpu",
        verdict=draw(st.sampled_from(("passed", "failed"))),
        report=draw(st.dictionaries(texts, json_values, max_size=2)),
        hints=draw(st.integers(0, 3)),
        revealed=draw(st.booleans()),
        seconds=draw(st.floats(0, 600)),
    )


@st.composite
def _settings(draw: st.DrawFn) -> list[SettingRecord]:
    chosen = draw(st.booleans())
    return [SettingRecord("settings.new_per_day", "20")] if chosen else []
