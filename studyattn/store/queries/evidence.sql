-- judged_items
SELECT concept, guid, kind, stability, forgotten_at FROM (
    SELECT item.concept_id AS concept, item.* FROM item
    WHERE item.concept_id IN @numbers(:concepts) AND @active(item)
    UNION ALL
    SELECT part.joined_into_id, item.* FROM concept AS part JOIN item ON item.concept_id = part.id
    WHERE part.joined_into_id IN @numbers(:concepts) AND @active(item)) AS judged
ORDER BY kind, position, id
