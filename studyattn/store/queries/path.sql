-- path_items
-- The cross joins make SQLite begin with the concepts: most items may belong to no pack.
SELECT whole.id, item.guid, item.kind, card.kind, item.phase, item.due, item.stability,
       item.last_review, card.sibling_group
FROM concept CROSS JOIN concept AS whole CROSS JOIN item LEFT JOIN card ON card.item_id = item.id
WHERE whole.id = @WHOLE AND item.concept_id = concept.id
  AND @active(item) AND whole.pack IS NOT NULL AND NOT whole.retired
ORDER BY item.position, item.id

-- count_begun
SELECT count(*) FROM item WHERE @active(item) AND item.phase <> 'new' AND item.kind <> 'drill'

-- begun_items
SELECT guid, kind, stability, difficulty, due, last_day FROM item
WHERE @active(item) AND stability IS NOT NULL AND due IS NOT NULL AND last_day IS NOT NULL
  AND (kind = 'drill' OR id % :every = 0)
ORDER BY due, id
