-- histories_of
SELECT concept_id, at, from_state, to_state, reason, author
FROM concept_change WHERE concept_id IN @numbers(:concepts) ORDER BY at, id

-- all_changes
SELECT concept_id, at, from_state, to_state, reason, author FROM concept_change ORDER BY at, id

-- recently_known
SELECT concept.slug, concept.title, max(concept_change.at) AS last
FROM concept JOIN concept_change ON concept_change.concept_id = concept.id
WHERE concept.state = 'known' AND concept_change.to_state = 'known'
  AND concept_change.author <> 'undo' AND NOT concept.retired
GROUP BY concept.id ORDER BY last DESC, concept.id LIMIT :most

-- state_of
SELECT state FROM concept WHERE id = :concept

-- set_state
UPDATE concept SET state = :state WHERE id = :concept

-- add
INSERT INTO concept_change (concept_id, at, from_state, to_state, reason, author)
VALUES (:concept_id, :at, :from_state, :to_state, :reason, :author)

-- concept
SELECT id, slug, title, state, joined_into_id FROM concept WHERE id = :concept

-- last_change
SELECT from_state, reason FROM concept_change WHERE concept_id = :concept
ORDER BY at DESC, id DESC LIMIT 1
