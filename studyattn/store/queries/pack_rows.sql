-- retire_concepts
UPDATE concept SET retired = TRUE WHERE id IN @numbers(:ids)

-- forget_requirements
DELETE FROM concept_requires WHERE concept_id IN @numbers(:concepts)

-- claim_items
-- A damaged file may have them under another name.
UPDATE item SET pack = :pack
WHERE guid IN @texts(:guids) AND (pack IS NULL OR pack <> :pack)

-- stored_items
SELECT item.id, item.guid, item.concept_id, item.position, item.retired, card.digest, card.edited_at
FROM item LEFT JOIN card ON card.item_id = item.id WHERE item.pack = :pack

-- retire_items
UPDATE item SET retired = TRUE WHERE id IN @numbers(:ids)

-- retire_items_of
UPDATE item SET retired = TRUE WHERE pack = :pack AND NOT retired

-- retire_concepts_of
UPDATE concept SET retired = TRUE WHERE pack = :pack
