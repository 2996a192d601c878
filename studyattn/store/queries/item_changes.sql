-- read_fields
SELECT item.guid, item.pack, item.suspended, item.marked, item.tags, concept.slug, item.retired
FROM item JOIN concept ON concept.id = item.concept_id WHERE item.id IN @numbers(:ids)

-- remove
UPDATE item SET retired = :value WHERE guid = :guid

-- move
UPDATE item SET concept_id = (SELECT id FROM concept WHERE slug = :value) WHERE guid = :guid
