-- read_memory
SELECT @MEMORY FROM item WHERE guid = ?

-- save_memory
UPDATE item SET phase = ?, step = ?, stability = ?, difficulty = ?, due = ?, last_review = ?,
    last_day = ?, reps = ?, lapses = ?
WHERE guid = ?

-- save_memory_and_forgotten
UPDATE item SET phase = ?, step = ?, stability = ?, difficulty = ?, due = ?, last_review = ?,
    last_day = ?, reps = ?, lapses = ?, forgotten_at = coalesce(?, forgotten_at)
WHERE guid = ?

-- note_forgotten
UPDATE item SET forgotten_at = :at WHERE guid = :guid

-- load_memory
SELECT item.guid, @MEMORY FROM item

-- read_item
SELECT @MEMORY, item.kind, item.marked, item.tags, item.suspended, @may_be_asked(item, ?),
       item.pack, concept.slug, concept.title, source.title,
       card.kind, card.front, card.back, card.answer, coalesce(card.extra, '{}'),
       @WHY_BACK
FROM item @CONCEPT_OF_ITEM
LEFT JOIN source ON source.id = item.source_id
LEFT JOIN card ON card.item_id = item.id
WHERE item.guid = ?

-- concept_of_item
SELECT concept.slug, concept.title FROM item @CONCEPT_OF_ITEM WHERE item.guid = :guid

-- has_item
SELECT 1 FROM item WHERE guid = :guid

-- guids_there
SELECT guid FROM item WHERE guid IN @texts(:guids)

-- item_guids
SELECT guid FROM item

-- buried_beyond
SELECT guid FROM item WHERE buried_until > :day ORDER BY guid

-- read_card_text
SELECT card.front, card.back, card.edited_at
FROM card JOIN item ON item.id = card.item_id WHERE item.guid = :guid

-- write_card_text
UPDATE card SET front = :front, back = :back, edited_at = :edited_at
WHERE item_id = (SELECT id FROM item WHERE guid = :guid)

-- read_fields
SELECT item.guid, item.pack, item.suspended, item.marked, item.tags, concept.slug, item.retired
FROM item JOIN concept ON concept.id = item.concept_id WHERE item.id IN @numbers(:ids)

-- remove
UPDATE item SET retired = :value WHERE guid = :guid

-- move
UPDATE item SET concept_id = (SELECT id FROM concept WHERE slug = :value) WHERE guid = :guid
