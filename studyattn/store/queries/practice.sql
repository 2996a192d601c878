-- attempts_at
SELECT uuid, at, learner_day, seconds, code, verdict, report, hints, revealed
FROM attempt WHERE item_guid = :guid

-- steps_with
SELECT uuid, at, learner_day, seconds, kind, number, code FROM practice_step WHERE item_guid = :guid

-- attempt_outcomes
SELECT item_guid, at, learner_day, verdict, revealed
FROM attempt WHERE item_guid IN @texts(:guids) ORDER BY at, id

-- passed_code
SELECT item_guid, backend, learner_day, code FROM (
    SELECT *, row_number() OVER (PARTITION BY item_guid, backend ORDER BY at DESC, id DESC) AS place
    FROM attempt WHERE verdict = 'passed') AS ranked
WHERE place = 1 ORDER BY at, id

-- drill_states
SELECT guid, CASE max(best) WHEN 3 THEN 'passed' WHEN 2 THEN 'revealed' ELSE 'tried' END
FROM (
    SELECT item_guid AS guid,
           CASE WHEN revealed THEN 2 WHEN verdict = 'passed' THEN 3 ELSE 1 END AS best FROM attempt
    UNION ALL SELECT item_guid, 2 FROM practice_step WHERE kind = 'revealed') AS tries
GROUP BY guid ORDER BY guid

-- was_revealed_on
SELECT 1 FROM practice_step WHERE item_guid = :guid AND kind = 'revealed' AND learner_day = :day

-- diagnosed_attempts
-- Both databases read one value of a JSON text so, and neither loads the rest of the report.
SELECT item_guid, count(*) AS times, max(at) AS last, diagnosis, min(mended) AS mended
FROM (
    SELECT attempt.item_guid, at, CAST(report -> 'diagnosis' -> 0 AS TEXT) AS diagnosis,
           CASE WHEN learner_day < passed.last THEN 1 ELSE 0 END AS mended
    FROM attempt LEFT JOIN (
        SELECT item_guid, max(learner_day) AS last FROM attempt WHERE verdict = 'passed'
        GROUP BY item_guid) AS passed ON passed.item_guid = attempt.item_guid
    WHERE verdict <> 'passed'
) AS failed
WHERE diagnosis IS NOT NULL
GROUP BY item_guid, diagnosis ORDER BY last, item_guid, diagnosis

-- cards_for_mistakes
SELECT item.guid, card.sibling_group, card.extra
FROM item JOIN card ON card.item_id = item.id JOIN concept ON concept.id = item.concept_id
WHERE CAST(card.extra AS TEXT) LIKE '%"misconceptions"%' AND @active(item)
  AND @counts_as(:concepts)
ORDER BY item.position, item.id

-- weakest_cards
SELECT item.guid, card.sibling_group
FROM item JOIN card ON card.item_id = item.id JOIN concept ON concept.id = item.concept_id
WHERE @counts_as(:concepts) AND @active(item)
ORDER BY item.stability IS NULL, item.stability, item.position, item.id

-- waiting_cards
SELECT item.guid, card.front, concept.slug, brought_back.misconception, brought_back.reason,
       brought_back.at
FROM brought_back JOIN item ON item.guid = brought_back.item_guid
JOIN card ON card.item_id = item.id JOIN concept ON concept.id = item.concept_id
WHERE @active(item) AND @STILL_BACK
  AND brought_back.attempt_uuid = coalesce(:attempt, brought_back.attempt_uuid)
ORDER BY brought_back.id

-- rows_that_hold
SELECT brought_back.uuid FROM brought_back JOIN item ON item.guid = brought_back.item_guid
WHERE item.guid = :guid AND @STILL_BACK

-- came_back_on
SELECT 1 FROM brought_back WHERE item_guid = :guid AND learner_day = :day

-- waiting_rows_of
SELECT uuid FROM brought_back
WHERE attempt_uuid = :attempt AND taken_back_at IS NULL AND item_guid IN @texts(:guids)

-- rows_of_attempt
SELECT uuid FROM brought_back WHERE attempt_uuid = :attempt

-- set_taken_back
UPDATE brought_back SET taken_back_at = :taken_back_at WHERE uuid IN @texts(:uuids)

-- last_batch
SELECT brought_back.at, brought_back.uuid, brought_back.attempt_uuid
FROM brought_back JOIN item ON item.guid = brought_back.item_guid
JOIN attempt ON attempt.uuid = brought_back.attempt_uuid
WHERE attempt.item_guid = :drill AND @STILL_BACK
ORDER BY brought_back.id DESC LIMIT 1

-- drill_events
SELECT item_guid, at, learner_day, seconds, verdict, hints, revealed, diagnosis FROM (
    SELECT item_guid, at, learner_day, seconds, verdict, hints, revealed,
           CASE WHEN verdict <> 'passed' THEN CAST(report -> 'diagnosis' -> 0 AS TEXT) END
           AS diagnosis
    FROM attempt {among}
    UNION ALL
    SELECT item_guid, at, learner_day, seconds, NULL, 0, (0 = 1), NULL
    FROM practice_step {among}
) AS event ORDER BY at, item_guid, verdict
