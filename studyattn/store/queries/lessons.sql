-- taught_by
SELECT concept.id, concept.slug, concept.title, concept.pack
FROM concept JOIN item ON item.concept_id = concept.id
WHERE concept.pack IS NOT NULL AND NOT concept.retired AND item.guid = :guid

-- taught_concepts
SELECT id, slug, title, pack FROM concept WHERE pack IS NOT NULL AND NOT retired
ORDER BY pack, position, id

-- needed_for
SELECT later.title FROM concept AS later
JOIN concept_requires AS needs ON needs.concept_id = later.id
WHERE needs.requires_id = :concept AND NOT later.retired
ORDER BY later.position, later.id

-- was_begun
SELECT 1 FROM item WHERE concept_id = :concept AND phase <> 'new' AND guid NOT LIKE :but LIMIT 1

-- begun_concepts
SELECT concept.id, @WHOLE, concept.pack, concept.slug, EXISTS (
    SELECT 1 FROM item
    WHERE item.concept_id = concept.id AND item.phase <> 'new' AND item.guid NOT LIKE :but)
FROM concept

-- lesson_pages
SELECT name, value FROM decision WHERE kind = 'lesson' AND field = 'page'
