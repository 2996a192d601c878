-- reviews_of
SELECT @COLUMNS FROM review WHERE @of_items(:guids) ORDER BY item_guid, at, uuid

-- last_forgotten
SELECT item_guid, max(at) FROM review WHERE @of_items(:guids) AND rating = 1
GROUP BY item_guid ORDER BY item_guid

-- all_reviews
SELECT @COLUMNS FROM review ORDER BY item_guid, at, uuid

-- memory_starts
SELECT item_guid, at, utc_offset, learner_day, interval, ease FROM memory_start

-- put_memory_start
INSERT INTO memory_start (item_guid, at, utc_offset, learner_day, interval, ease)
VALUES (:item_guid, :at, :utc_offset, :learner_day, :interval, :ease)
ON CONFLICT (item_guid) DO UPDATE SET at = excluded.at, utc_offset = excluded.utc_offset,
    learner_day = excluded.learner_day, interval = excluded.interval, ease = excluded.ease

-- memory_begins_after
SELECT 1 FROM memory_start WHERE item_guid = :guid AND at >= :at

-- find_review
SELECT @COLUMNS FROM review WHERE uuid = :uuid

-- last_withdrawal_of
SELECT @COLUMNS FROM review WHERE withdraws = :uuid ORDER BY id DESC LIMIT 1

-- last_rating_in_effect
-- A uuid grows with the time of writing, on every machine.
SELECT @COLUMNS FROM review WHERE origin = :origin AND @in_effect(review) ORDER BY uuid DESC LIMIT 1

-- rated_after
-- Days have an index, and instants have none.
SELECT @COLUMNS FROM review WHERE at > :at AND learner_day >= :day AND @in_effect(review)
ORDER BY at, uuid

-- is_logged
SELECT uuid FROM review WHERE uuid = :uuid

-- named
SELECT @COLUMNS FROM review WHERE uuid IN @uuids(:uuids)

-- append
INSERT INTO review (@COLUMNS) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
