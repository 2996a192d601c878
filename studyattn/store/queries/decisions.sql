-- decided_at
SELECT at FROM decision WHERE kind = :kind AND name = :name AND field = :field

-- put
INSERT INTO decision (kind, name, field, value, at, replica)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (kind, name, field)
DO UPDATE SET value = excluded.value, at = excluded.at, replica = excluded.replica

-- load
SELECT kind, name, field, value, at, replica FROM decision

-- joins
SELECT name, value FROM decision WHERE kind = 'concept' AND field = 'joined_into'

-- concepts
SELECT id, slug, joined_into_id FROM concept

-- settle
UPDATE concept SET joined_into_id = :into WHERE id = :concept
