-- find_concept
SELECT @STORED_CONCEPT FROM concept WHERE slug = :slug

-- concept_with_id
SELECT @STORED_CONCEPT FROM concept WHERE id = :concept

-- concept_body
SELECT body FROM concept WHERE id = :concept

-- all_concepts
SELECT @STORED_CONCEPT FROM concept WHERE NOT retired ORDER BY @PATH

-- taught_concepts
SELECT @STORED_CONCEPT FROM concept
WHERE pack IS NOT NULL AND joined_into_id IS NULL AND NOT retired ORDER BY @PATH

-- concepts_with_ids
SELECT @STORED_CONCEPT FROM concept WHERE NOT retired AND id IN @numbers(:concepts) ORDER BY @PATH

-- first_concepts
SELECT @STORED_CONCEPT FROM concept
WHERE state = :state AND joined_into_id IS NULL AND NOT retired
ORDER BY @PATH LIMIT :most

-- joined_concepts
SELECT @STORED_CONCEPT FROM concept WHERE joined_into_id = :concept AND NOT retired ORDER BY id

-- pack_slugs
SELECT @WHOLE, slug, pack FROM concept WHERE @counts_as(:concepts)

-- concept_of_pack
SELECT @STORED_CONCEPT FROM concept WHERE id = (
    SELECT @WHOLE FROM concept WHERE slug IN (:slug, :behind)
    ORDER BY CASE WHEN pack = :pack THEN 0 ELSE 1 END LIMIT 1)

-- card_tallies
SELECT concept_id, count(*),
       count(*) FILTER (WHERE stability >= :held),
       count(*) FILTER (WHERE phase <> 'new' AND due <= :at AND NOT suspended),
       count(*) FILTER (WHERE phase = 'new' AND NOT suspended)
FROM item WHERE kind <> 'drill' AND NOT retired {of}
GROUP BY concept_id ORDER BY concept_id

-- neighbours
SELECT slug, title, state FROM (
SELECT DISTINCT concept.slug, concept.title, concept.state, concept.position, concept.id
FROM concept_requires AS needs
JOIN concept AS named ON named.id = needs.{other}
JOIN concept ON concept.id = coalesce(named.joined_into_id, named.id)
WHERE needs.{own} IN @numbers(:concepts) AND concept.id NOT IN @numbers(:concepts)
  AND NOT concept.retired) AS neighbour
ORDER BY position, id

-- drills_of
SELECT concept_id, guid FROM item WHERE kind = 'drill' AND NOT retired {of}

-- concepts_of_packs
-- A pack's slug that another concept had first is stored behind the pack's id.
SELECT @WHOLE AS whole FROM concept
WHERE NOT retired AND (
    slug IN @texts(:slugs)
    OR (substr(slug, length(pack) + 2) IN @texts(:slugs)
        AND substr(slug, 1, length(pack) + 1) = pack || '-')
)
ORDER BY whole

-- path
SELECT id FROM concept WHERE NOT retired {among} ORDER BY @PATH

-- evidence
-- A concept with a weak card is done with the first such card, and most concepts have one.
SELECT @WHOLE,
       max(CASE WHEN state = 'known' THEN 1 ELSE 0 END),
       max(CASE WHEN state <> 'known' AND EXISTS (
               SELECT 1 FROM item WHERE item.concept_id = concept.id AND @active(item)
               AND item.kind <> 'drill' AND (item.stability IS NULL OR item.stability < :held)
           ) THEN 1 ELSE 0 END)
FROM concept
WHERE @counts_as(:concepts)
  AND EXISTS (SELECT 1 FROM item WHERE item.concept_id = concept.id AND @active(item))
GROUP BY @WHOLE ORDER BY @WHOLE

-- forgotten
SELECT @WHOLE,
       max((SELECT max(item.forgotten_at) FROM item
            WHERE item.concept_id = concept.id AND @active(item)))
FROM concept
WHERE @counts_as(:concepts) AND @WHOLE IN (SELECT id FROM concept WHERE state = 'known')
GROUP BY @WHOLE ORDER BY @WHOLE

-- first_known
SELECT concept_id, min(at) FROM concept_change WHERE to_state = 'known'
GROUP BY concept_id ORDER BY concept_id

-- failed
SELECT DISTINCT @WHOLE AS whole FROM attempt
JOIN item ON item.guid = attempt.item_guid JOIN concept ON concept.id = item.concept_id
WHERE attempt.verdict NOT IN ('passed', 'step') ORDER BY whole

-- own_statements
SELECT concept.id, concept.title, concept.body, source.title
FROM concept LEFT JOIN source ON source.id = concept.source_id
WHERE @counts_as(:concepts) AND concept.pack IS NULL AND NOT concept.retired
ORDER BY concept.id

-- own_cards
SELECT item.concept_id, card.front, card.back, source.title
FROM item JOIN concept ON concept.id = item.concept_id JOIN card ON card.item_id = item.id
LEFT JOIN source ON source.id = item.source_id
WHERE @counts_as(:concepts) AND item.pack IS NULL AND NOT item.retired
ORDER BY item.position, item.id

-- judged_items
SELECT concept, guid, kind, stability, forgotten_at FROM (
    SELECT item.concept_id AS concept, item.* FROM item
    WHERE item.concept_id IN @numbers(:concepts) AND @active(item)
    UNION ALL
    SELECT part.joined_into_id, item.* FROM concept AS part JOIN item ON item.concept_id = part.id
    WHERE part.joined_into_id IN @numbers(:concepts) AND @active(item)) AS judged
ORDER BY kind, position, id
