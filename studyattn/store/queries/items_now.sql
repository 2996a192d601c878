-- items_now
SELECT item.guid, item.kind, concept.slug, item.phase, item.stability, item.difficulty, item.due,
       item.last_review, item.last_day, item.suspended, item.buried_until
FROM item @CONCEPT_OF_ITEM WHERE NOT item.retired AND {items} ORDER BY item.id

-- items_added
SELECT created_at, count(*) FROM item WHERE {items} GROUP BY created_at ORDER BY created_at

-- concept_titles
SELECT slug, title FROM concept ORDER BY id

-- tags
SELECT DISTINCT tags FROM item WHERE tags <> ''
