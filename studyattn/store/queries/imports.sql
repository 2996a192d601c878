-- sources
SELECT id, guid, title, path, text, digest, edits, kind FROM source

-- concepts
SELECT id, slug, title, body, state, pack, source_id FROM concept ORDER BY id

-- cards
SELECT item.source_id, item.id, item.guid, item.concept_id, card.front, card.back, card.digest,
       card.edited_at IS NOT NULL
FROM item JOIN card ON card.item_id = item.id
WHERE item.source_id IS NOT NULL AND item.guid NOT LIKE 'own:%'
ORDER BY item.id

-- notes
SELECT source_id, id, guid, title, body FROM note
WHERE source_id IS NOT NULL AND guid LIKE '%:note:%'
ORDER BY id

-- concept_ids
SELECT slug, id FROM concept
