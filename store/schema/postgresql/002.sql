-- 002 - what `bench judge` was asked: every candidate that was judged, with its answer, numbered within its family and target.
-- Why numbered here: whoever judges a thousand candidates and shows the fastest shows the best of a thousand.
CREATE TABLE attempt (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at       BIGINT NOT NULL,                -- seconds since 1970
    target   TEXT COLLATE "C" NOT NULL,
    family   TEXT COLLATE "C" NOT NULL,
    number   BIGINT NOT NULL,                -- 1, 2, ... of this family on this target
    sha256   TEXT COLLATE "C" NOT NULL,      -- of the source
    build    TEXT COLLATE "C" NOT NULL,      -- hash of compiler, flags, problem, baseline, size and device
    run      TEXT COLLATE "C" NOT NULL,
    rejected TEXT COLLATE "C" NOT NULL,      -- the reason word, '' if it was measured
    ratio    DOUBLE PRECISION,               -- against the baseline; NULL if there is none
    answer   TEXT NOT NULL,                  -- JSON
    UNIQUE (target, family, number)
);
CREATE INDEX attempt_by_source ON attempt (sha256, target, build);
CREATE TRIGGER attempt_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON attempt EXECUTE FUNCTION refuse_change();
