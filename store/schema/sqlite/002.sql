-- 002 - what `bench judge` was asked: every candidate that was judged, with its answer, numbered within its family and target.
-- Why numbered here: whoever judges a thousand candidates and shows the fastest shows the best of a thousand.
CREATE TABLE IF NOT EXISTS attempt (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,               -- seconds since 1970
    target   TEXT NOT NULL,
    family   TEXT NOT NULL,
    number   INTEGER NOT NULL,               -- 1, 2, ... of this family on this target
    sha256   TEXT NOT NULL,                  -- of the source
    build    TEXT NOT NULL,                  -- hash of compiler, flags, problem, baseline, size and device
    run      TEXT NOT NULL,
    rejected TEXT NOT NULL,                  -- the reason word, '' if it was measured
    ratio    REAL,                           -- against the baseline; NULL if there is none
    answer   TEXT NOT NULL,                  -- JSON
    UNIQUE (target, family, number)
) STRICT;
CREATE INDEX IF NOT EXISTS attempt_by_source ON attempt (sha256, target, build);
CREATE TRIGGER IF NOT EXISTS attempt_is_kept BEFORE DELETE ON attempt BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER IF NOT EXISTS attempt_is_fixed BEFORE UPDATE ON attempt BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
