-- path_items
SELECT whole.id, item.guid, item.kind, card.kind, item.phase, item.due, item.stability,
       item.last_review
FROM item JOIN concept ON concept.id = item.concept_id
JOIN concept AS whole ON whole.id = @WHOLE
LEFT JOIN card ON card.item_id = item.id
WHERE @active(item) AND whole.pack IS NOT NULL AND NOT whole.retired
ORDER BY item.position, item.id
