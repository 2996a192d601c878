-- own_file
SELECT name, machine, size, tail, marks FROM sync_folder WHERE folder = :folder

-- remember_own_file
INSERT INTO sync_folder (folder, name, machine, size, tail, marks)
VALUES (:folder, :name, :machine, :size, :tail, :marks)
ON CONFLICT (folder) DO UPDATE SET name = excluded.name, machine = excluded.machine,
    size = excluded.size, tail = excluded.tail, marks = excluded.marks

-- written_digests
SELECT record, digest FROM sync_written WHERE folder = :folder

-- has_written
SELECT 1 FROM sync_written WHERE folder = :folder LIMIT 1

-- forget_record
DELETE FROM sync_written WHERE folder = :folder AND record = :name

-- read_up_to
SELECT name, "offset", tail FROM sync_read WHERE folder = :folder

-- remember_read
INSERT INTO sync_read (folder, name, "offset", tail) VALUES (:folder, :name, :offset, :tail)
ON CONFLICT (folder, name) DO UPDATE SET "offset" = excluded."offset", tail = excluded.tail
