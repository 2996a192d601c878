-- all_sources
SELECT @HEAD FROM source ORDER BY imported_at DESC, id DESC

-- source_text
SELECT guid, title, kind, path, text, imported_at FROM source WHERE guid = :guid

-- source_titles
SELECT id, title FROM source

-- source_with_guid
SELECT @HEAD FROM source WHERE guid = :name

-- sources_with_title
SELECT @HEAD FROM source WHERE title = :name

-- has_sources
SELECT 1 FROM source LIMIT 1
