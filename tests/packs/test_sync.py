"""Packs and the database: what the learner did is never undone by a change of a pack's files."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update

from studyattn.packs import read
from studyattn.packs.installed import sync_installed
from studyattn.packs.read import load_pack
from studyattn.packs.sync import Synced, sync_pack
from studyattn.store import models
from studyattn.store.database import Database
from tests.packs.conftest import NOW, change

PACK = "softmax-regression"
LATER = NOW + timedelta(days=1)
LOGITS = "concepts/logits.md"


@pytest.fixture(autouse=True)
def _only_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No built-in packs: these tests are about the packs in the home."""
    monkeypatch.setattr("studyattn.packs.locate.content_dir", lambda: tmp_path / "none")


def items(database: Database) -> dict[str, Mapping[str, Any]]:
    """Every item with its card, by guid without the pack's id."""
    item, card = models.ItemRow, models.CardRow
    query = select(item.__table__, card.front, card.back, card.sibling_group)
    query = query.outerjoin(card, card.item_id == item.id).order_by(item.position)
    with database.read() as connection:
        rows = connection.execute(query).mappings().all()
    return {str(row["guid"]).removeprefix(f"{PACK}:"): dict(row) for row in rows}


def concepts(database: Database) -> dict[str, Mapping[str, Any]]:
    with database.read() as connection:
        rows = connection.execute(select(models.ConceptRow.__table__)).mappings().all()
    return {str(row["slug"]): dict(row) for row in rows}


def give_memory(database: Database, guid: str) -> None:
    with database.write() as connection:
        connection.execute(
            update(models.ItemRow)
            .where(models.ItemRow.guid == f"{PACK}:{guid}")
            .values(phase="review", stability=30.0, difficulty=5.0, due=LATER, reps=4, lapses=1)
        )


def memory(database: Database, guid: str) -> tuple[Any, ...]:
    row = items(database)[guid]
    return tuple(row[key] for key in ("phase", "stability", "difficulty", "due", "reps", "lapses"))


def test_a_new_home_gets_all_of_the_pack(folder: Path, database: Database) -> None:
    report = sync_installed(database, NOW)
    assert report.synced == (Synced(PACK, added=14),)
    assert report.problems == ()
    pack = load_pack(folder)
    stored = items(database)
    assert list(stored) == [item.guid.removeprefix(f"{PACK}:") for item in pack.items()]
    assert stored["drill/class-probabilities"]["kind"] == "drill"
    assert stored["drill/class-probabilities"]["front"] is None
    assert stored["logits-linear:2"]["sibling_group"] == f"{PACK}:logits-linear"
    found = concepts(database)
    assert [found[slug]["position"] for slug in pack.path] == [0, 100, 200]
    assert {found[slug]["state"] for slug in pack.path} == {"unseen"}
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(models.ConceptRequiresRow)) == 2


def test_an_unchanged_pack_is_not_even_read(
    folder: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync_installed(database, NOW)

    def refuse(_: Path) -> None:
        raise AssertionError("read although nothing changed")

    monkeypatch.setattr(read, "load_pack", refuse)
    assert sync_installed(database, LATER).synced == ()


def test_a_new_wording_keeps_the_memory(folder: Path, database: Database) -> None:
    sync_installed(database, NOW)
    give_memory(database, "logits-predict")
    before = memory(database, "logits-predict")
    change(folder / LOGITS, "The one with the largest logit.", "That of the largest logit.")
    assert sync_installed(database, LATER).synced == (Synced(PACK, changed=1),)
    assert items(database)["logits-predict"]["back"].startswith("That of the largest logit.")
    assert memory(database, "logits-predict") == before


def test_a_pack_that_is_put_aside_rests_and_is_not_read_again(
    folder: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync_installed(database, NOW)
    give_memory(database, "entropy-zero")
    before = memory(database, "entropy-zero")
    assert sync_installed(database, NOW, f"-{PACK}").synced == (Synced(PACK, retired=14),)
    assert all(each["retired"] for each in items(database).values())
    with monkeypatch.context() as patch:
        patch.setattr(read, "load_pack", None)
        assert sync_installed(database, LATER, f"-{PACK}").synced == ()
    assert sync_installed(database, LATER, f"other, {PACK}").synced == (Synced(PACK, returned=14),)
    assert memory(database, "entropy-zero") == before
    first = min(each["position"] for each in concepts(database).values())
    assert sync_installed(database, LATER).synced == (Synced(PACK),)
    assert min(each["position"] for each in concepts(database).values()) == 0 < first


def test_a_pack_that_comes_after_another_begins_behind_it(folder: Path, database: Database) -> None:
    change(folder / "pack.toml", 'language = "en"', 'language = "en"\nafter = ["other"]')
    sync_installed(database, NOW)
    first = min(each["position"] for each in concepts(database).values())
    assert sync_installed(database, LATER).synced == ()
    sync_installed(database, LATER, PACK)
    assert min(each["position"] for each in concepts(database).values()) == 0 < first


def test_the_learners_own_wording_wins(folder: Path, database: Database) -> None:
    sync_installed(database, NOW)
    with database.write() as connection:
        connection.execute(
            update(models.CardRow)
            .where(models.CardRow.front.startswith("Which class"))
            .values(front="Which one is chosen?", back="The largest.", edited_at=NOW)
        )
    change(folder / LOGITS, "The one with the largest logit.", "That of the largest logit.")
    assert sync_installed(database, LATER).synced == (Synced(PACK, changed=1),)
    card = items(database)["logits-predict"]
    assert (card["front"], card["back"]) == ("Which one is chosen?", "The largest.")
    change(folder / "pack.toml", "1.0.0", "1.0.1")
    assert sync_installed(database, LATER).synced == (Synced(PACK),)


def test_what_is_gone_rests_and_comes_back_with_its_memory(
    folder: Path, database: Database
) -> None:
    sync_installed(database, NOW)
    give_memory(database, "entropy-zero")
    before = memory(database, "entropy-zero")
    file, aside = folder / "concepts/cross-entropy.md", folder.parent / "aside.md"
    shutil.move(file, aside)
    change(folder / "pack.toml", ', "cross-entropy"', "")
    assert sync_installed(database, NOW).synced == (Synced(PACK, retired=3),)
    assert items(database)["entropy-zero"]["retired"]
    assert concepts(database)["cross-entropy"]["retired"]
    assert not concepts(database)["logits"]["retired"]

    shutil.move(aside, file)
    change(
        folder / "pack.toml", '"class-probabilities"]', '"class-probabilities", "cross-entropy"]'
    )
    assert sync_installed(database, LATER).synced == (Synced(PACK, returned=3),)
    assert not items(database)["entropy-zero"]["retired"]
    assert not concepts(database)["cross-entropy"]["retired"]
    assert memory(database, "entropy-zero") == before


def test_an_item_whose_pack_was_damaged_is_the_packs_again(
    folder: Path, database: Database
) -> None:
    sync_installed(database, NOW)
    guid = next(iter(items(database)))
    give_memory(database, guid)
    before = items(database)
    with database.write() as connection:  # as a changed byte in a file that was recovered
        connection.execute(
            update(models.ItemRow)
            .where(models.ItemRow.guid == f"{PACK}:{guid}")
            .values(pack="softmax-regressiom")
        )
        connection.execute(delete(models.SettingRow))
    assert sync_installed(database, LATER).problems == ()
    assert items(database) == before


def test_a_card_may_move_to_another_concept(folder: Path, database: Database) -> None:
    sync_installed(database, NOW)
    card = "### Moved? {#logits-predict}\n\nYes.\n"
    file = folder / LOGITS
    text = file.read_text(encoding="utf-8")
    start = text.index("### Which class")
    file.write_text(text[:start] + text[text.index("### A logit") :], encoding="utf-8")
    with (folder / "concepts/cross-entropy.md").open("a", encoding="utf-8") as end:
        end.write(f"\n{card}")
    assert sync_installed(database, LATER).synced == (Synced(PACK, changed=1),)
    moved = items(database)["logits-predict"]
    assert moved["concept_id"] == concepts(database)["cross-entropy"]["id"]
    assert list(items(database))[-1] == "logits-predict"


def test_a_pack_that_is_taken_away_rests(folder: Path, database: Database) -> None:
    sync_installed(database, NOW)
    aside = folder.parent.parent / "aside"
    shutil.move(folder, aside)
    assert sync_installed(database, NOW).synced == (Synced(PACK, retired=14),)
    assert all(row["retired"] for row in items(database).values())
    assert sync_installed(database, NOW).synced == ()
    shutil.move(aside, folder)
    assert sync_installed(database, LATER).synced == (Synced(PACK, returned=14),)


def test_a_pack_that_cannot_be_read_stays_as_it_was(folder: Path, database: Database) -> None:
    sync_installed(database, NOW)
    change(folder / LOGITS, "slug: logits", "slug: logit")
    report = sync_installed(database, LATER)
    assert report.synced == ()
    assert [problem.where.rpartition("/")[2] for problem in report.problems] == ["logits.md:1"]
    assert not any(row["retired"] for row in items(database).values())


def test_two_packs_of_one_name_are_told(folder: Path, database: Database) -> None:
    shutil.copytree(folder, folder.parent / "twin")
    (problem,) = sync_installed(database, NOW).problems
    assert "already" in problem.message


def test_a_slug_that_is_taken_gets_the_packs_name_before_it(
    folder: Path, database: Database
) -> None:
    with database.write() as connection:
        connection.execute(insert(models.ConceptRow).values(slug="logits", title="My own logits"))
    for _ in range(2):
        with database.write() as connection:
            connection.execute(delete(models.SettingRow))
        sync_pack(database, load_pack(folder), NOW)
    found = concepts(database)
    assert found["logits"]["title"] == "My own logits"
    assert found["softmax-regression-logits"]["title"] == "Logits of a linear classifier"
    assert len(found) == 4


def test_a_sync_that_fails_leaves_nothing_behind(
    folder: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr("studyattn.store.queries.pack_rows.remember_pack", fail)
    with pytest.raises(RuntimeError):
        sync_installed(database, NOW)
    assert items(database) == {}
    assert concepts(database) == {}
