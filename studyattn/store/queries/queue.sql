-- candidate
item.guid, item.kind, item.phase, item.due, item.last_review, card.sibling_group
FROM item LEFT JOIN card ON card.item_id = item.id

-- beginnings
-- The index of due items begins with these two columns. Each statement looks into it once for each
-- pair, and finds the instants there in their order.
beginning(kind, phase) AS (
    VALUES ('card', 'learning'), ('card', 'relearning'), ('card', 'review'),
           ('drill', 'learning'), ('drill', 'relearning'), ('drill', 'review'))

-- learning_steps
SELECT @candidate WHERE @may_be_asked(item) AND item.kind IN ('card', 'drill')
  AND item.phase IN ('learning', 'relearning') AND item.due < :until
ORDER BY item.id

-- chosen_items
SELECT @candidate WHERE @may_be_asked(item) AND item.guid IN @texts(:guids) {soon} ORDER BY item.id

-- due_drills
SELECT @candidate WHERE @may_be_asked(item) AND item.kind = 'drill' AND item.phase = 'review'
  AND item.due <= :now
ORDER BY item.id

-- new_drills
SELECT @candidate WHERE @may_be_asked(item) AND item.kind = 'drill' AND item.phase = 'new'
  AND NOT EXISTS (
    SELECT 1 FROM item AS first WHERE first.concept_id = item.concept_id
    AND first.kind = 'card' AND first.phase = 'new' AND @active(first))
ORDER BY item.position, item.id

-- cards_before
SELECT item.guid, item.created_at, first.guid FROM item LEFT JOIN item AS first
ON first.concept_id = item.concept_id AND first.kind = 'card' AND @active(first)
WHERE item.guid IN @texts(:drills) ORDER BY item.id, first.id

-- first_seen
SELECT item.guid, memory_start.learner_day,
       (SELECT min(review.learner_day) FROM review
        WHERE @of_item(review, item.guid) AND @in_effect(review))
FROM item LEFT JOIN memory_start ON memory_start.item_guid = item.guid
WHERE item.guid IN @texts(:guids)

-- study_day
SELECT max(learner_day) FROM review WHERE learner_day < :before

-- drills_behind_cards
SELECT item.guid, first.guid FROM item JOIN item AS first ON first.concept_id = item.concept_id
WHERE item.kind = 'drill' AND item.phase = 'new' AND @active(item)
  AND first.kind = 'card' AND first.phase = 'new' AND @active(first)
ORDER BY item.position, item.id, first.id

-- untried_drills
SELECT guid FROM item WHERE kind = 'drill' AND phase = 'new' AND @active(item) ORDER BY id

-- due_instants
WITH RECURSIVE behind(due) AS (
    SELECT min(due) FROM item WHERE kind = 'card' AND phase = 'review' AND due <= :now
    UNION ALL
    SELECT (SELECT min(item.due) FROM item WHERE kind = 'card' AND phase = 'review'
            AND item.due > behind.due AND item.due <= :now)
    FROM behind WHERE behind.due IS NOT NULL)
SELECT due FROM behind WHERE due IS NOT NULL ORDER BY due

-- cards_due_at
SELECT @candidate WHERE item.kind = 'card' AND item.phase = 'review' AND item.due = :due
  AND @may_be_asked(item)
ORDER BY item.last_review DESC, item.guid

-- new_cards_of
SELECT item.guid, item.kind, item.phase, item.due, item.last_review, card.sibling_group
FROM item JOIN card ON card.item_id = item.id
WHERE item.concept_id = :concept AND item.kind = 'card' AND item.phase = 'new'
  AND @may_be_asked(item)
  AND (card.sibling_group IS NULL OR NOT EXISTS (
    SELECT 1 FROM card AS other JOIN item AS due ON due.id = other.item_id
    WHERE other.sibling_group = card.sibling_group AND due.phase = 'review' AND due.due <= :now
      AND @may_be_asked(due)))
ORDER BY item.position, item.id

-- cards_brought_back
-- The cross join makes SQLite begin with the few cards that are back.
SELECT item.guid FROM brought_back CROSS JOIN item
WHERE item.guid = brought_back.item_guid AND item.kind = 'card'
  AND item.phase IN ('new', 'review') AND @may_be_asked(item) AND @STILL_BACK
GROUP BY item.id ORDER BY min(brought_back.id)

-- answered_on
SELECT item.guid, card.kind, card.sibling_group,
       NOT EXISTS (
           SELECT 1 FROM review AS earlier
           WHERE @of_item(earlier, item.guid) AND earlier.learner_day < :day
             AND @in_effect(earlier))
FROM (SELECT DISTINCT item_guid FROM review WHERE learner_day = :day) AS answered
JOIN item ON item.guid = answered.item_guid AND item.last_day = :today
LEFT JOIN card ON card.item_id = item.id
ORDER BY item.id

-- wished_concepts
SELECT id FROM concept
ORDER BY CASE state WHEN 'known-unknown' THEN 0 WHEN 'unseen' THEN 1 ELSE 2 END, position, id

-- concepts_with_new_cards
SELECT id FROM concept WHERE id IN @numbers(:concepts)
  AND EXISTS (SELECT 1 FROM item WHERE item.concept_id = concept.id AND @new_card)

-- new_card
item.kind = 'card' AND item.phase = 'new' AND @active(item)

-- needs_of
SELECT needs.concept_id, needs.requires_id,
       EXISTS (SELECT 1 FROM item WHERE item.concept_id = needs.requires_id AND @new_card),
       concept.state <> 'known' AND EXISTS (
           SELECT 1 FROM item WHERE item.concept_id = needs.requires_id AND item.kind = 'card'
           AND item.phase <> 'review' AND @active(item))
FROM concept_requires AS needs JOIN concept AS own ON own.id = needs.requires_id
JOIN concept ON concept.id = coalesce(own.joined_into_id, own.id)
WHERE needs.concept_id IN @numbers(:concepts)
ORDER BY needs.concept_id, needs.requires_id

-- requirements
SELECT concept_id, requires_id FROM concept_requires ORDER BY concept_id, requires_id

-- queued_items
SELECT item.guid, item.kind, card.kind, item.phase, item.due, card.sibling_group,
       card.front, concept.slug, concept.title, @WHY_BACK
FROM item @CONCEPT_OF_ITEM LEFT JOIN card ON card.item_id = item.id
WHERE item.guid IN @texts(:guids)

-- count_cards_due_before
SELECT count(*) FROM item
WHERE kind = 'card' AND phase = 'review' AND due < :end AND @active(item)

-- count_new
SELECT count(*) FROM item WHERE kind IN ('card', 'drill') AND phase = 'new' AND @active(item)

-- planned_dues_of_waiting
-- The cross join makes SQLite begin with the few cards that are back.
SELECT item.guid, item.due FROM brought_back CROSS JOIN item
WHERE item.guid = brought_back.item_guid AND item.kind = 'card' AND @active(item) AND @STILL_BACK
ORDER BY brought_back.id

-- next_due_after
WITH @beginnings
SELECT min((SELECT item.due FROM item
            WHERE item.kind = beginning.kind AND item.phase = beginning.phase
              AND item.due > :at AND @active(item)
            ORDER BY item.due LIMIT 1))
FROM beginning

-- due_counts
-- The statement hops from one instant to the next along the index and counts each by itself, which
-- takes two thirds of the time of grouping all rows.
WITH RECURSIVE @beginnings,
instant(kind, phase, due) AS (
    SELECT kind, phase,
           (SELECT min(item.due) FROM item
            WHERE item.kind = beginning.kind AND item.phase = beginning.phase AND item.due < :end)
    FROM beginning
    UNION ALL
    SELECT kind, phase,
           (SELECT min(item.due) FROM item
            WHERE item.kind = instant.kind AND item.phase = instant.phase
              AND item.due > instant.due AND item.due < :end)
    FROM instant WHERE instant.due IS NOT NULL)
SELECT due,
       (SELECT count(*) FROM item
        WHERE item.kind = instant.kind AND item.phase = instant.phase AND item.due = instant.due
          AND @active(item))
FROM instant WHERE due IS NOT NULL
ORDER BY due, kind, phase

-- steps_reached
-- Of a drill that was rated today, what came before is read too: its last rating ends it.
SELECT attempt.item_guid, attempt.learner_day,
       (SELECT max(review.learner_day) FROM review WHERE @of_item(review, attempt.item_guid)
        AND @in_effect(review) AND review.learner_day < :before),
       attempt.verdict, CAST(attempt.report -> 'steps' AS TEXT)
FROM attempt JOIN item ON item.guid = attempt.item_guid
WHERE attempt.item_guid IN @texts(:guids)
  AND (item.last_day IS NULL OR item.last_day = :today OR attempt.learner_day > item.last_day)
ORDER BY attempt.learner_day
