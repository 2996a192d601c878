-- day_totals
@count ORDER BY learner_day DESC

-- kept
SELECT @FIGURES FROM review_day WHERE learner_day < :first ORDER BY learner_day DESC

-- kept_to
SELECT coalesce(max(through), 0) FROM review_day

-- forget
DELETE FROM review_day WHERE learner_day >= :first

-- keep
INSERT INTO review_day (@FIGURES, through)
SELECT @FIGURES, (SELECT max(id) FROM review) FROM (@count) AS totals

-- first_touched
-- Without a minimum inside, for which SQLite would go through the days from the first one on.
WITH RECURSIVE withdrawn(uuid) AS (
    SELECT withdraws FROM review WHERE id > :through AND withdraws IS NOT NULL
    UNION
    SELECT review.withdraws FROM withdrawn JOIN review ON review.uuid = withdrawn.uuid
    WHERE review.withdraws IS NOT NULL)
SELECT min(day) FROM (
    SELECT learner_day AS day FROM review WHERE id > :through
    UNION ALL
    SELECT review.learner_day FROM withdrawn JOIN review ON review.uuid = withdrawn.uuid
) AS touched

-- timed_card_answers
SELECT item.guid, card.kind, latest.seconds
FROM (SELECT id, item_guid, seconds, rating FROM review ORDER BY id DESC LIMIT 1000) AS latest
JOIN item ON item.guid = latest.item_guid
JOIN card ON card.item_id = item.id
WHERE latest.seconds > 0 AND latest.rating IS NOT NULL
ORDER BY latest.id DESC

-- timed_drill_answers
SELECT guid, NULL, seconds FROM (
    SELECT review.id, item.guid, review.seconds
    FROM item JOIN review ON @of_item(review, item.guid)
    WHERE item.kind = 'drill' AND review.seconds > 0 AND review.rating IS NOT NULL
    ORDER BY review.id DESC LIMIT 200) AS latest
ORDER BY id DESC

-- count
-- An item's first answer of a day measures retention if it was answered on an earlier day.
SELECT learner_day,
       sum(CASE WHEN given = 1 THEN 1 ELSE 0 END) AS again,
       sum(CASE WHEN given = 2 THEN 1 ELSE 0 END) AS hard,
       sum(CASE WHEN given = 3 THEN 1 ELSE 0 END) AS good,
       sum(CASE WHEN given = 4 THEN 1 ELSE 0 END) AS easy,
       sum(measures) AS asked,
       sum(CASE WHEN given > 1 THEN measures ELSE 0 END) AS recalled,
       sum(CASE WHEN seconds <= :longest OR item_guid LIKE :drills THEN seconds ELSE :longest END)
       AS seconds
FROM (
    SELECT answer.*, CASE WHEN given IS NOT NULL AND place = 1 AND EXISTS (
        SELECT 1 FROM review AS before WHERE @of_item(before, answer.item_guid)
        AND before.learner_day < answer.learner_day AND @in_effect(before))
        THEN 1 ELSE 0 END AS measures
    FROM (
        SELECT counted.*, row_number() OVER (
            PARTITION BY item_guid, learner_day
            ORDER BY CASE WHEN given IS NULL THEN 1 ELSE 0 END, id
        ) AS place
        FROM (
            SELECT id, item_guid, learner_day, seconds,
                   CASE WHEN @in_effect(review) THEN rating END AS given
            FROM review WHERE learner_day >= :first
        ) AS counted
    ) AS answer
) AS measured
GROUP BY learner_day

-- growth
SELECT coalesce(sum(CASE WHEN is_first THEN 1 ELSE 0 END), 0) AS new,
       coalesce(sum(CASE WHEN stability >= :held THEN 1 ELSE 0 END), 0) AS held,
       (SELECT count(DISTINCT item_guid) FROM attempt
        WHERE learner_day = :day AND verdict = 'passed') AS passed
FROM (
    SELECT DISTINCT item.guid, item.stability, NOT EXISTS (
        SELECT 1 FROM review AS before WHERE @of_item(before, item.guid)
        AND before.learner_day < :log_day AND @in_effect(before)) AS is_first
    FROM review JOIN item ON item.guid = review.item_guid
    WHERE review.learner_day = :log_day AND @in_effect(review) AND item.kind <> 'drill'
) AS answered

-- concepts_by_state
SELECT state, count(*) FROM concept WHERE NOT retired AND joined_into_id IS NULL
GROUP BY state ORDER BY state

-- count_begun_concepts
SELECT count(DISTINCT @WHOLE) FROM concept
WHERE NOT retired AND (state <> 'unseen' OR EXISTS (
    SELECT 1 FROM item WHERE item.concept_id = concept.id
    AND item.phase <> 'new' AND NOT item.retired))
