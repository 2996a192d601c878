-- concepts_by_state
SELECT state, count(*) FROM concept WHERE NOT retired AND joined_into_id IS NULL
GROUP BY state ORDER BY state

-- count_begun_concepts
SELECT count(DISTINCT @WHOLE) FROM concept
WHERE NOT retired AND (state <> 'unseen' OR EXISTS (
    SELECT 1 FROM item WHERE item.concept_id = concept.id
    AND item.phase <> 'new' AND NOT item.retired))
