CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE source (
	id INTEGER NOT NULL, 
	guid VARCHAR(64) NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	title TEXT NOT NULL, 
	path TEXT NOT NULL, 
	text TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	front_matter JSON NOT NULL, 
	imported_at DATETIME NOT NULL, edits TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT pk_source PRIMARY KEY (id), 
	CONSTRAINT uq_source_guid UNIQUE (guid)
);
CREATE TABLE concept (
	id INTEGER NOT NULL, 
	slug VARCHAR(200) NOT NULL, 
	title TEXT NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	body TEXT NOT NULL, 
	pack VARCHAR(64), 
	source_id INTEGER, 
	joined_into_id INTEGER, 
	position INTEGER NOT NULL, 
	core BOOLEAN NOT NULL, 
	retired BOOLEAN NOT NULL, 
	CONSTRAINT pk_concept PRIMARY KEY (id), 
	CONSTRAINT ck_concept_state CHECK (state IN ('unseen', 'known-unknown', 'known')), 
	CONSTRAINT uq_concept_slug UNIQUE (slug), 
	CONSTRAINT fk_concept_source_id_source FOREIGN KEY(source_id) REFERENCES source (id), 
	CONSTRAINT fk_concept_joined_into_id_concept FOREIGN KEY(joined_into_id) REFERENCES concept (id)
);
CREATE TABLE concept_requires (
	concept_id INTEGER NOT NULL, 
	requires_id INTEGER NOT NULL, 
	CONSTRAINT pk_concept_requires PRIMARY KEY (concept_id, requires_id), 
	CONSTRAINT fk_concept_requires_concept_id_concept FOREIGN KEY(concept_id) REFERENCES concept (id), 
	CONSTRAINT fk_concept_requires_requires_id_concept FOREIGN KEY(requires_id) REFERENCES concept (id)
);
CREATE TABLE concept_change (
	id INTEGER NOT NULL, 
	concept_id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	from_state VARCHAR(16) NOT NULL, 
	to_state VARCHAR(16) NOT NULL, 
	reason TEXT NOT NULL, 
	author VARCHAR(16) NOT NULL, 
	CONSTRAINT pk_concept_change PRIMARY KEY (id), 
	CONSTRAINT fk_concept_change_concept_id_concept FOREIGN KEY(concept_id) REFERENCES concept (id)
);
CREATE TABLE item (
	id INTEGER NOT NULL, 
	guid VARCHAR(200) NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	concept_id INTEGER NOT NULL, 
	source_id INTEGER, 
	pack VARCHAR(64), 
	position INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, 
	suspended BOOLEAN NOT NULL, 
	marked BOOLEAN NOT NULL, 
	retired BOOLEAN NOT NULL, 
	buried_until DATE, 
	phase VARCHAR(12) NOT NULL, 
	step INTEGER NOT NULL, 
	stability DOUBLE, 
	difficulty DOUBLE, 
	due DATETIME, 
	last_review DATETIME, 
	last_day DATE, 
	reps INTEGER NOT NULL, 
	lapses INTEGER NOT NULL, tags TEXT DEFAULT '' NOT NULL, forgotten_at DATETIME, 
	CONSTRAINT pk_item PRIMARY KEY (id), 
	CONSTRAINT ck_item_kind CHECK (kind IN ('card', 'drill')), 
	CONSTRAINT ck_item_phase CHECK (phase IN ('new', 'learning', 'review', 'relearning')), 
	CONSTRAINT uq_item_guid UNIQUE (guid), 
	CONSTRAINT fk_item_concept_id_concept FOREIGN KEY(concept_id) REFERENCES concept (id), 
	CONSTRAINT fk_item_source_id_source FOREIGN KEY(source_id) REFERENCES source (id)
);
CREATE TABLE card (
	item_id INTEGER NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	front TEXT NOT NULL, 
	back TEXT NOT NULL, 
	answer TEXT, 
	extra JSON NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	edited_at DATETIME, 
	sibling_group VARCHAR(200), 
	CONSTRAINT pk_card PRIMARY KEY (item_id), 
	CONSTRAINT fk_card_item_id_item FOREIGN KEY(item_id) REFERENCES item (id)
);
CREATE TABLE note (
	id INTEGER NOT NULL, 
	guid VARCHAR(64) NOT NULL, 
	concept_id INTEGER, 
	source_id INTEGER, 
	item_id INTEGER, 
	title TEXT NOT NULL, 
	body TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_note PRIMARY KEY (id), 
	CONSTRAINT uq_note_guid UNIQUE (guid), 
	CONSTRAINT fk_note_concept_id_concept FOREIGN KEY(concept_id) REFERENCES concept (id), 
	CONSTRAINT fk_note_source_id_source FOREIGN KEY(source_id) REFERENCES source (id), 
	CONSTRAINT fk_note_item_id_item FOREIGN KEY(item_id) REFERENCES item (id)
);
CREATE TABLE wording (
	id INTEGER NOT NULL, 
	guid VARCHAR(200) NOT NULL, 
	at DATETIME, 
	title TEXT NOT NULL, 
	body TEXT NOT NULL, 
	CONSTRAINT pk_wording PRIMARY KEY (id)
);
CREATE TABLE attempt (
	id INTEGER NOT NULL, 
	uuid VARCHAR(36) NOT NULL, 
	item_guid VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	utc_offset INTEGER NOT NULL, 
	learner_day DATE NOT NULL, 
	code TEXT NOT NULL, 
	backend VARCHAR(8) NOT NULL, 
	device VARCHAR(8) NOT NULL, 
	verdict VARCHAR(12) NOT NULL, 
	report JSON NOT NULL, 
	hints INTEGER NOT NULL, 
	revealed BOOLEAN NOT NULL, 
	seconds DOUBLE NOT NULL, 
	CONSTRAINT pk_attempt PRIMARY KEY (id), 
	CONSTRAINT uq_attempt_uuid UNIQUE (uuid)
);
CREATE TABLE setting (
	"key" VARCHAR(64) NOT NULL, 
	value JSON NOT NULL, 
	CONSTRAINT pk_setting PRIMARY KEY ("key")
);
CREATE TABLE practice_step (
	id INTEGER NOT NULL, 
	uuid VARCHAR(36) NOT NULL, 
	item_guid VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	utc_offset INTEGER NOT NULL, 
	learner_day DATE NOT NULL, 
	kind VARCHAR(12) NOT NULL, 
	number INTEGER NOT NULL, 
	code TEXT, 
	seconds DOUBLE NOT NULL, 
	CONSTRAINT pk_practice_step PRIMARY KEY (id), 
	CONSTRAINT ck_practice_step_kind CHECK (kind IN ('began', 'hint', 'revealed', 'kept', 'left')), 
	CONSTRAINT uq_practice_step_uuid UNIQUE (uuid)
);
CREATE TABLE brought_back (
	id INTEGER NOT NULL, 
	uuid VARCHAR(36) NOT NULL, 
	item_guid VARCHAR(200) NOT NULL, 
	attempt_uuid VARCHAR(36) NOT NULL, 
	misconception VARCHAR(100) NOT NULL, 
	reason TEXT NOT NULL, 
	at DATETIME NOT NULL, 
	learner_day DATE NOT NULL, 
	taken_back_at DATETIME, 
	CONSTRAINT pk_brought_back PRIMARY KEY (id), 
	CONSTRAINT uq_brought_back_uuid UNIQUE (uuid)
);
CREATE TABLE decision (
	kind VARCHAR(16) NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	field VARCHAR(16) NOT NULL, 
	value JSON NOT NULL, 
	at DATETIME NOT NULL, 
	replica VARCHAR(36) NOT NULL, 
	CONSTRAINT pk_decision PRIMARY KEY (kind, name, field)
);
CREATE TABLE memory_start (
	item_guid VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	utc_offset INTEGER NOT NULL, 
	learner_day DATE NOT NULL, 
	interval DOUBLE, 
	ease DOUBLE, 
	CONSTRAINT pk_memory_start PRIMARY KEY (item_guid)
);
CREATE TABLE sync_folder (
	folder TEXT NOT NULL, 
	name VARCHAR(64) NOT NULL, 
	machine TEXT NOT NULL, 
	size INTEGER NOT NULL, 
	tail VARCHAR(32) NOT NULL, 
	marks JSON NOT NULL, 
	CONSTRAINT pk_sync_folder PRIMARY KEY (folder)
);
CREATE TABLE sync_written (
	folder TEXT NOT NULL, 
	record TEXT NOT NULL, 
	digest VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_sync_written PRIMARY KEY (folder, record)
);
CREATE TABLE sync_read (
	folder TEXT NOT NULL, 
	name TEXT NOT NULL, 
	"offset" INTEGER NOT NULL, 
	tail VARCHAR(32) NOT NULL, 
	CONSTRAINT pk_sync_read PRIMARY KEY (folder, name)
);
CREATE VIRTUAL TABLE concept_search USING fts5(title, slug, body, content='concept', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3');
CREATE VIRTUAL TABLE concept_search_parts USING fts5(title, slug, body, content='concept', content_rowid='id', tokenize='trigram', detail='none');
CREATE VIRTUAL TABLE note_search USING fts5(title, body, content='note', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3');
CREATE VIRTUAL TABLE note_search_parts USING fts5(title, body, content='note', content_rowid='id', tokenize='trigram', detail='none');
CREATE VIRTUAL TABLE card_search USING fts5(front, back, answer, content='card', content_rowid='item_id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3');
CREATE VIRTUAL TABLE card_search_parts USING fts5(front, back, answer, content='card', content_rowid='item_id', tokenize='trigram', detail='none');
CREATE VIRTUAL TABLE source_search USING fts5(title, text, content='source', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3');
CREATE VIRTUAL TABLE source_search_parts USING fts5(title, text, content='source', content_rowid='id', tokenize='trigram', detail='none');
CREATE TABLE review (
	id INTEGER NOT NULL, 
	uuid BLOB NOT NULL, 
	item_guid VARCHAR(200) NOT NULL, 
	rating INTEGER, 
	withdraws BLOB, 
	at BIGINT NOT NULL, 
	utc_offset INTEGER NOT NULL, 
	learner_day INTEGER NOT NULL, 
	seconds DOUBLE NOT NULL, 
	origin VARCHAR(8) NOT NULL, 
	CONSTRAINT pk_review PRIMARY KEY (id), 
	CONSTRAINT ck_review_rating CHECK (rating BETWEEN 1 AND 4), 
	CONSTRAINT ck_review_rates_or_withdraws CHECK ((rating IS NULL) <> (withdraws IS NULL)), 
	CONSTRAINT uq_review_uuid UNIQUE (uuid)
);
CREATE TABLE review_day (
	learner_day INTEGER NOT NULL, 
	again INTEGER NOT NULL, 
	hard INTEGER NOT NULL, 
	good INTEGER NOT NULL, 
	easy INTEGER NOT NULL, 
	asked INTEGER NOT NULL, 
	recalled INTEGER NOT NULL, 
	seconds DOUBLE NOT NULL, 
	through INTEGER NOT NULL, 
	CONSTRAINT pk_review_day PRIMARY KEY (learner_day)
);
CREATE TABLE review_answers (
	learner_day INTEGER NOT NULL, 
	hour INTEGER NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	rating INTEGER NOT NULL, 
	age INTEGER NOT NULL, 
	answers INTEGER NOT NULL, 
	seconds DOUBLE NOT NULL, 
	through INTEGER NOT NULL, 
	CONSTRAINT pk_review_answers PRIMARY KEY (learner_day, hour, kind, rating, age)
)
 WITHOUT ROWID

;
CREATE TABLE anki_type (
	number VARCHAR(20) NOT NULL, 
	changed BIGINT NOT NULL, 
	definition TEXT NOT NULL, 
	CONSTRAINT pk_anki_type PRIMARY KEY (number)
);
CREATE TABLE anki_note (
	guid VARCHAR(200) NOT NULL, 
	number BIGINT NOT NULL, 
	notetype VARCHAR(20) NOT NULL, 
	changed BIGINT NOT NULL, 
	fields TEXT NOT NULL, 
	tags TEXT NOT NULL, 
	media TEXT NOT NULL, 
	CONSTRAINT pk_anki_note PRIMARY KEY (guid)
);
CREATE TABLE anki_card (
	item_guid VARCHAR(200) NOT NULL, 
	note VARCHAR(200) NOT NULL, 
	ord BIGINT NOT NULL, 
	number BIGINT NOT NULL, 
	deck TEXT NOT NULL, 
	changed BIGINT NOT NULL, 
	wording VARCHAR(64) NOT NULL, 
	schedule TEXT NOT NULL, 
	log TEXT NOT NULL, 
	answers INTEGER NOT NULL, 
	CONSTRAINT pk_anki_card PRIMARY KEY (item_guid)
);
CREATE INDEX ix_attempt_at ON attempt (at);
CREATE INDEX ix_attempt_item_guid ON attempt (item_guid);
CREATE INDEX ix_brought_back_attempt_uuid ON brought_back (attempt_uuid);
CREATE INDEX ix_brought_back_item_guid ON brought_back (item_guid);
CREATE INDEX ix_card_sibling_group ON card (sibling_group);
CREATE INDEX ix_concept_change_at ON concept_change (at);
CREATE INDEX ix_concept_change_concept_id ON concept_change (concept_id);
CREATE INDEX ix_concept_joined_into_id ON concept (joined_into_id);
CREATE INDEX ix_concept_requires_requires_id ON concept_requires (requires_id);
CREATE INDEX ix_concept_source_id ON concept (source_id);
CREATE INDEX ix_concept_state ON concept (state);
CREATE INDEX ix_item_concept ON item (concept_id, kind, phase, retired, suspended, stability, due, forgotten_at);
CREATE INDEX ix_item_due ON item (kind, phase, due, last_review, suspended, retired);
CREATE INDEX ix_item_path ON item (concept_id, kind, phase, position);
CREATE INDEX ix_item_source_id ON item (source_id);
CREATE INDEX ix_note_concept_id ON note (concept_id);
CREATE INDEX ix_note_item_id ON note (item_id);
CREATE INDEX ix_note_source_id ON note (source_id);
CREATE INDEX ix_practice_step_item_guid ON practice_step (item_guid);
CREATE INDEX ix_review_item ON review (substr(item_guid, -8));
CREATE INDEX ix_review_learner_day ON review (learner_day);
CREATE INDEX ix_review_withdraws ON review (withdraws) WHERE withdraws IS NOT NULL;
CREATE INDEX ix_source_digest ON source (digest);
CREATE INDEX ix_wording_guid ON wording (guid);
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt BEGIN SELECT RAISE(ABORT, 'attempt rows are only added'); END;
CREATE TRIGGER attempt_no_update BEFORE UPDATE ON attempt BEGIN SELECT RAISE(ABORT, 'attempt rows are only added'); END;
CREATE TRIGGER card_search_added AFTER INSERT ON card BEGIN INSERT INTO card_search (rowid, front, back, answer) VALUES (new.item_id, new.front, new.back, new.answer); INSERT INTO card_search_parts (rowid, front, back, answer) VALUES (new.item_id, new.front, new.back, new.answer); END;
CREATE TRIGGER card_search_changed AFTER UPDATE OF item_id, front, back, answer ON card BEGIN INSERT INTO card_search (card_search, rowid, front, back, answer) VALUES ('delete', old.item_id, old.front, old.back, old.answer); INSERT INTO card_search_parts (card_search_parts, rowid, front, back, answer) VALUES ('delete', old.item_id, old.front, old.back, old.answer); INSERT INTO card_search (rowid, front, back, answer) VALUES (new.item_id, new.front, new.back, new.answer); INSERT INTO card_search_parts (rowid, front, back, answer) VALUES (new.item_id, new.front, new.back, new.answer); END;
CREATE TRIGGER card_search_removed AFTER DELETE ON card BEGIN INSERT INTO card_search (card_search, rowid, front, back, answer) VALUES ('delete', old.item_id, old.front, old.back, old.answer); INSERT INTO card_search_parts (card_search_parts, rowid, front, back, answer) VALUES ('delete', old.item_id, old.front, old.back, old.answer); END;
CREATE TRIGGER concept_change_no_delete BEFORE DELETE ON concept_change BEGIN SELECT RAISE(ABORT, 'concept_change rows are only added'); END;
CREATE TRIGGER concept_change_no_update BEFORE UPDATE ON concept_change BEGIN SELECT RAISE(ABORT, 'concept_change rows are only added'); END;
CREATE TRIGGER concept_search_added AFTER INSERT ON concept BEGIN INSERT INTO concept_search (rowid, title, slug, body) VALUES (new.id, new.title, new.slug, new.body); INSERT INTO concept_search_parts (rowid, title, slug, body) VALUES (new.id, new.title, new.slug, new.body); END;
CREATE TRIGGER concept_search_changed AFTER UPDATE OF id, title, slug, body ON concept BEGIN INSERT INTO concept_search (concept_search, rowid, title, slug, body) VALUES ('delete', old.id, old.title, old.slug, old.body); INSERT INTO concept_search_parts (concept_search_parts, rowid, title, slug, body) VALUES ('delete', old.id, old.title, old.slug, old.body); INSERT INTO concept_search (rowid, title, slug, body) VALUES (new.id, new.title, new.slug, new.body); INSERT INTO concept_search_parts (rowid, title, slug, body) VALUES (new.id, new.title, new.slug, new.body); END;
CREATE TRIGGER concept_search_removed AFTER DELETE ON concept BEGIN INSERT INTO concept_search (concept_search, rowid, title, slug, body) VALUES ('delete', old.id, old.title, old.slug, old.body); INSERT INTO concept_search_parts (concept_search_parts, rowid, title, slug, body) VALUES ('delete', old.id, old.title, old.slug, old.body); END;
CREATE TRIGGER note_search_added AFTER INSERT ON note BEGIN INSERT INTO note_search (rowid, title, body) VALUES (new.id, new.title, new.body); INSERT INTO note_search_parts (rowid, title, body) VALUES (new.id, new.title, new.body); END;
CREATE TRIGGER note_search_changed AFTER UPDATE OF id, title, body ON note BEGIN INSERT INTO note_search (note_search, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); INSERT INTO note_search_parts (note_search_parts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); INSERT INTO note_search (rowid, title, body) VALUES (new.id, new.title, new.body); INSERT INTO note_search_parts (rowid, title, body) VALUES (new.id, new.title, new.body); END;
CREATE TRIGGER note_search_removed AFTER DELETE ON note BEGIN INSERT INTO note_search (note_search, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); INSERT INTO note_search_parts (note_search_parts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END;
CREATE TRIGGER practice_step_no_delete BEFORE DELETE ON practice_step BEGIN SELECT RAISE(ABORT, 'practice_step rows are only added'); END;
CREATE TRIGGER practice_step_no_update BEFORE UPDATE ON practice_step BEGIN SELECT RAISE(ABORT, 'practice_step rows are only added'); END;
CREATE TRIGGER review_no_delete BEFORE DELETE ON review BEGIN SELECT RAISE(ABORT, 'review rows are only added'); END;
CREATE TRIGGER review_no_update BEFORE UPDATE ON review BEGIN SELECT RAISE(ABORT, 'review rows are only added'); END;
CREATE TRIGGER source_search_added AFTER INSERT ON source BEGIN INSERT INTO source_search (rowid, title, text) VALUES (new.id, new.title, new.text); INSERT INTO source_search_parts (rowid, title, text) VALUES (new.id, new.title, new.text); END;
CREATE TRIGGER source_search_changed AFTER UPDATE OF id, title, text ON source BEGIN INSERT INTO source_search (source_search, rowid, title, text) VALUES ('delete', old.id, old.title, old.text); INSERT INTO source_search_parts (source_search_parts, rowid, title, text) VALUES ('delete', old.id, old.title, old.text); INSERT INTO source_search (rowid, title, text) VALUES (new.id, new.title, new.text); INSERT INTO source_search_parts (rowid, title, text) VALUES (new.id, new.title, new.text); END;
CREATE TRIGGER source_search_removed AFTER DELETE ON source BEGIN INSERT INTO source_search (source_search, rowid, title, text) VALUES ('delete', old.id, old.title, old.text); INSERT INTO source_search_parts (source_search_parts, rowid, title, text) VALUES ('delete', old.id, old.title, old.text); END;
INSERT INTO concept_search(concept_search, rank) VALUES ('rank', 'bm25(10.0, 5.0, 1.0)');
INSERT INTO note_search(note_search, rank) VALUES ('rank', 'bm25(8.0, 1.0)');
INSERT INTO card_search(card_search, rank) VALUES ('rank', 'bm25(4.0, 1.0, 1.0)');
INSERT INTO source_search(source_search, rank) VALUES ('rank', 'bm25(8.0, 1.0)');
INSERT INTO alembic_version (version_num) VALUES ('0014');
