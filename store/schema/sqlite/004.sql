-- 004 - what is asked of many results at once, beside their JSON. All but `pruned` is derived from run, result and seal, so it
-- may be changed, and `aisp store check --repair` can make it again. What is here before is filled in by index.c.
CREATE TABLE machine (
    id         INTEGER PRIMARY KEY,
    host       TEXT NOT NULL UNIQUE          -- fingerprint
) STRICT;

-- What can be set side by side over time.
CREATE TABLE series (
    id         INTEGER PRIMARY KEY,
    hardware   TEXT NOT NULL,                -- core/hardware.h; '': unknown
    target     TEXT NOT NULL,
    variant    TEXT NOT NULL,
    reference  TEXT NOT NULL,
    device     TEXT NOT NULL,
    size       TEXT NOT NULL,
    UNIQUE (hardware, target, variant, reference, device, size)
) STRICT;
CREATE INDEX series_by_target ON series (target, variant, device);

-- One row a result, without its JSON. In the order of series, so that a history is one stretch of the file.
CREATE TABLE figure (
    series     INTEGER NOT NULL,
    started_at INTEGER NOT NULL,             -- of the run
    id         INTEGER NOT NULL,             -- the result's rowid
    run        TEXT NOT NULL,
    key        TEXT NOT NULL,
    machine    INTEGER NOT NULL,
    goal       TEXT NOT NULL,
    grade      TEXT NOT NULL,
    verdict    TEXT NOT NULL,
    ratio      REAL,                         -- NULL: withheld or not measured, as in all that follow
    lo95       REAL,
    hi95       REAL,
    a_median_ns    REAL,
    b_median_ns    REAL,
    b_p99_ns       REAL,
    a_memory_bytes REAL,
    b_memory_bytes REAL,
    a_energy_j     REAL,
    b_energy_j     REAL,
    a_per_second   REAL,
    b_per_second   REAL,
    PRIMARY KEY (series, started_at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_by_time ON figure (started_at, id);

-- Of each series the newest figure of a sealed run, and how many there are in sealed runs.
CREATE TABLE newest (
    series     INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    run        TEXT NOT NULL,
    key        TEXT NOT NULL,
    machine    INTEGER NOT NULL,
    goal       TEXT NOT NULL,
    grade      TEXT NOT NULL,
    verdict    TEXT NOT NULL,
    ratio      REAL,
    lo95       REAL,
    hi95       REAL,
    a_median_ns    REAL,
    b_median_ns    REAL,
    b_p99_ns       REAL,
    a_memory_bytes REAL,
    b_memory_bytes REAL,
    a_energy_j     REAL,
    b_energy_j     REAL,
    a_per_second   REAL,
    b_per_second   REAL
) STRICT;
CREATE TABLE tally (
    series     INTEGER PRIMARY KEY,
    n          INTEGER NOT NULL,
    n_invalid  INTEGER NOT NULL
) STRICT;

-- Runs without a seal: few, and asked for often.
CREATE TABLE open_run (
    run        TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Results whose evidence was removed to make room. The results themselves are never removed.
CREATE TABLE pruned (
    run        TEXT NOT NULL,
    key        TEXT NOT NULL,
    at         INTEGER NOT NULL,             -- seconds since 1970; 0: it came here without
    bytes      INTEGER NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pruned_is_kept BEFORE DELETE ON pruned BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER pruned_is_fixed BEFORE UPDATE ON pruned BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;

-- Its questions are answered by series and figure.
DROP INDEX result_by_target;
