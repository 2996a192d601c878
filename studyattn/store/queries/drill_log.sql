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
