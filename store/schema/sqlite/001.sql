-- 001 - runs, results, seals, calibrations. Rows are only ever added; the triggers hold us to it.
CREATE TABLE run (
    id         TEXT PRIMARY KEY,
    started_at INTEGER NOT NULL,             -- seconds since 1970
    host       TEXT NOT NULL,                -- fingerprint of the machine
    manifest   TEXT NOT NULL                 -- JSON
) STRICT;

CREATE TABLE result (
    run        TEXT NOT NULL REFERENCES run (id),
    key        TEXT NOT NULL,
    target     TEXT NOT NULL,
    variant    TEXT NOT NULL,
    device     TEXT NOT NULL,
    grade      TEXT NOT NULL,
    result     TEXT NOT NULL,                -- JSON
    evidence_sha256 TEXT NOT NULL,           -- of the evidence file
    PRIMARY KEY (run, key)
) STRICT;
CREATE INDEX result_by_target ON result (target, variant, device);

-- A run without a seal is incomplete.
CREATE TABLE seal (
    run         TEXT PRIMARY KEY REFERENCES run (id),
    finished_at INTEGER NOT NULL,
    summary     TEXT NOT NULL                -- JSON
) STRICT;

CREATE TABLE calibration (
    id         INTEGER PRIMARY KEY,
    host       TEXT NOT NULL,
    taken_at   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    calibration TEXT NOT NULL                -- JSON
) STRICT;
CREATE INDEX calibration_by_host ON calibration (host, taken_at);

CREATE TRIGGER run_is_kept BEFORE DELETE ON run BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER run_is_fixed BEFORE UPDATE ON run BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER result_is_kept BEFORE DELETE ON result BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER result_is_fixed BEFORE UPDATE ON result BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER seal_is_kept BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER seal_is_fixed BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
