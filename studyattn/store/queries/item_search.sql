-- listed
SELECT item.guid, item.kind, card.kind, card.front, concept.slug, concept.title, item.phase,
       item.stability, item.difficulty, item.due, item.last_day, item.reps, item.lapses,
       item.suspended, item.marked, item.retired, item.tags
FROM item @CONCEPT_OF_ITEM LEFT JOIN card ON card.item_id = item.id

-- of_concept
WHERE NOT item.retired
  AND item.concept_id IN (SELECT id FROM concept WHERE id = :concept OR joined_into_id = :concept)
ORDER BY item.kind, item.position, item.id

-- of_concepts
WHERE ({retired} OR NOT item.retired) AND item.concept_id IN @numbers(:concepts)

-- has_word
-- Each table is searched by itself: together they would be joined for every item there is.
item.id IN (
    SELECT card.item_id FROM card
    WHERE (@contains(card.front, {word}) OR @contains(card.back, {word})) AND {some}
    UNION ALL
    SELECT item.id FROM item
    WHERE @contains(item.guid, {word}) OR @contains(item.tags, {word})
       OR item.concept_id IN (SELECT id FROM concept WHERE @contains(title, {word})))

-- counts
SELECT concept_id, count(*) FROM item WHERE NOT retired GROUP BY concept_id

-- path
SELECT id FROM concept ORDER BY @PATH

-- ids_of_concepts
SELECT concept_id, id FROM item WHERE NOT retired AND concept_id IN @numbers(:concepts)
ORDER BY position, id
