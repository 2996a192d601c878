-- packed
SELECT review.item_guid,
       (review.learner_day * @HOURS + @HOUR) * @RATINGS
       + CASE WHEN @in_effect(review) THEN review.rating ELSE 0 END,
       CASE WHEN review.seconds > :longest AND review.item_guid NOT LIKE :drills THEN :longest
            ELSE review.seconds END
FROM {rows} WHERE {condition} ORDER BY review.id

-- guids
SELECT item.guid FROM item WHERE {items} ORDER BY item.id

-- counted
SELECT coalesce(sum(CASE WHEN {items} THEN 1 ELSE 0 END), 0), count(*) FROM item

-- latest
SELECT DISTINCT item_guid AS guid FROM review WHERE learner_day >= :day

-- kinds_of_items
SELECT item.guid, coalesce(card.kind, item.kind) FROM item
LEFT JOIN card ON card.item_id = item.id ORDER BY item.id

-- reviews
SELECT coalesce(sum(item.reps), 0) FROM item WHERE {items}

-- rated
SELECT review.item_guid, review.at, review.learner_day, review.rating
FROM item CROSS JOIN review
WHERE @of_item(review, item.guid) AND {items} AND @SPREAD < :part AND @in_effect(review)
ORDER BY item.id, review.at, review.uuid
