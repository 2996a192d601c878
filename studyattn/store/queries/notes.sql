-- note
note.id, note.guid, note.title, note.body, concept.slug, source.title, source.guid, item.guid,
note.created_at, note.updated_at
FROM note LEFT JOIN concept ON concept.id = note.concept_id
LEFT JOIN source ON source.id = note.source_id LEFT JOIN item ON item.id = note.item_id

-- read_note
SELECT @note WHERE note.id = :number

-- note_of_item
SELECT @note WHERE item.guid = :guid ORDER BY note.created_at, note.id LIMIT 1

-- list_notes
SELECT @note {of} ORDER BY note.updated_at DESC, note.id DESC {limit}

-- count_notes
SELECT count(*) FROM note

-- notes_with_links
SELECT id, title, body, updated_at FROM note WHERE body LIKE '%[[%' ORDER BY updated_at DESC, id DESC

-- updated_at
SELECT updated_at FROM note WHERE id = :number

-- update_note
UPDATE note SET title = :title, body = :body, updated_at = :updated_at WHERE id = :number

-- tie_note
UPDATE note SET concept_id = :concept_id, source_id = :source_id, item_id = :item_id
WHERE id = :number

-- delete_note
DELETE FROM note WHERE id = :number RETURNING guid, updated_at

-- earlier_wordings
SELECT at, title, body FROM wording WHERE guid = :guid ORDER BY at IS NULL, at DESC, id DESC

-- item_number
SELECT id FROM item WHERE guid = :guid

-- last_position
SELECT coalesce(max(position), 0) FROM item

-- concepts_of_cards
SELECT item.guid, concept.title FROM item @CONCEPT_OF_ITEM WHERE item.guid IN @texts(:guids)

-- subjects_of_notes
SELECT note.id, coalesce(concept.title, source.title, '')
FROM note LEFT JOIN concept ON concept.id = note.concept_id
LEFT JOIN source ON source.id = note.source_id
WHERE note.id IN @numbers(:numbers)
