-- 003 - quarantine: variants that were found wrong, until a run in which they pass. Rows are only added; the newest of a
-- variant says whether it is in.
CREATE TABLE quarantine (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         BIGINT NOT NULL,              -- seconds since 1970
    target     TEXT COLLATE "C" NOT NULL,
    variant    TEXT COLLATE "C" NOT NULL,
    device     TEXT COLLATE "C" NOT NULL,
    is_in      INTEGER NOT NULL,             -- 1: put in, 0: let out
    run        TEXT COLLATE "C" NOT NULL,    -- the run that said so
    finding    TEXT NOT NULL,                -- name of the check, "" when it was let out
    reason     TEXT NOT NULL
);
CREATE INDEX quarantine_by_variant ON quarantine (target, variant, device, id);
CREATE TRIGGER quarantine_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON quarantine EXECUTE FUNCTION refuse_change();
