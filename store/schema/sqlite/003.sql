-- 003 - quarantine: variants that were found wrong, until a run in which they pass. Rows are only added; the newest of a
-- variant says whether it is in.
CREATE TABLE IF NOT EXISTS quarantine (
    id         INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,             -- seconds since 1970
    target     TEXT NOT NULL,
    variant    TEXT NOT NULL,
    device     TEXT NOT NULL,
    is_in      INTEGER NOT NULL,             -- 1: put in, 0: let out
    run        TEXT NOT NULL,                -- the run that said so
    finding    TEXT NOT NULL,                -- name of the check, "" when it was let out
    reason     TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS quarantine_by_variant ON quarantine (target, variant, device, id);
CREATE TRIGGER IF NOT EXISTS quarantine_is_kept BEFORE DELETE ON quarantine
    BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER IF NOT EXISTS quarantine_is_fixed BEFORE UPDATE ON quarantine
    BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
