-- counts
SELECT concept_id, count(*) FROM item WHERE NOT retired GROUP BY concept_id

-- path
SELECT id FROM concept ORDER BY @PATH

-- ids_of_concepts
SELECT concept_id, id FROM item WHERE NOT retired AND concept_id IN @numbers(:concepts)
ORDER BY position, id
