-- 004 - what is asked of many results at once, beside their JSON. All but `pruned` is derived from run, result and seal, so it
-- may be changed, and `aisp store check --repair` can make it again. What is here before is filled in by index.c.
CREATE TABLE machine (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host       TEXT COLLATE "C" NOT NULL UNIQUE  -- fingerprint
);

-- What can be set side by side over time.
CREATE TABLE series (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hardware   TEXT COLLATE "C" NOT NULL,        -- core/hardware.h; '': unknown
    target     TEXT COLLATE "C" NOT NULL,
    variant    TEXT COLLATE "C" NOT NULL,
    reference  TEXT COLLATE "C" NOT NULL,
    device     TEXT COLLATE "C" NOT NULL,
    size       TEXT COLLATE "C" NOT NULL,
    UNIQUE (hardware, target, variant, reference, device, size)
);
CREATE INDEX series_by_target ON series (target, variant, device);

-- One row a result, without its JSON. In the order of series, so that a history is one stretch of the file.
CREATE TABLE figure (
    series     BIGINT NOT NULL,
    started_at BIGINT NOT NULL,                  -- of the run
    id         BIGINT NOT NULL,                  -- the result's rowid
    run        TEXT COLLATE "C" NOT NULL,
    key        TEXT COLLATE "C" NOT NULL,
    machine    BIGINT NOT NULL,
    goal       TEXT COLLATE "C" NOT NULL,
    grade      TEXT COLLATE "C" NOT NULL,
    verdict    TEXT COLLATE "C" NOT NULL,
    ratio      DOUBLE PRECISION,                 -- NULL: withheld or not measured, as in all that follow
    lo95       DOUBLE PRECISION,
    hi95       DOUBLE PRECISION,
    a_median_ns    DOUBLE PRECISION,
    b_median_ns    DOUBLE PRECISION,
    b_p99_ns       DOUBLE PRECISION,
    a_memory_bytes DOUBLE PRECISION,
    b_memory_bytes DOUBLE PRECISION,
    a_energy_j     DOUBLE PRECISION,
    b_energy_j     DOUBLE PRECISION,
    a_per_second   DOUBLE PRECISION,
    b_per_second   DOUBLE PRECISION,
    PRIMARY KEY (series, started_at, id)
);
CREATE INDEX figure_by_time ON figure (started_at, id);

-- Of each series the newest figure of a sealed run, and how many there are in sealed runs.
CREATE TABLE newest (
    series     BIGINT PRIMARY KEY,
    started_at BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    run        TEXT COLLATE "C" NOT NULL,
    key        TEXT COLLATE "C" NOT NULL,
    machine    BIGINT NOT NULL,
    goal       TEXT COLLATE "C" NOT NULL,
    grade      TEXT COLLATE "C" NOT NULL,
    verdict    TEXT COLLATE "C" NOT NULL,
    ratio      DOUBLE PRECISION,
    lo95       DOUBLE PRECISION,
    hi95       DOUBLE PRECISION,
    a_median_ns    DOUBLE PRECISION,
    b_median_ns    DOUBLE PRECISION,
    b_p99_ns       DOUBLE PRECISION,
    a_memory_bytes DOUBLE PRECISION,
    b_memory_bytes DOUBLE PRECISION,
    a_energy_j     DOUBLE PRECISION,
    b_energy_j     DOUBLE PRECISION,
    a_per_second   DOUBLE PRECISION,
    b_per_second   DOUBLE PRECISION
);
CREATE TABLE tally (
    series     BIGINT PRIMARY KEY,
    n          BIGINT NOT NULL,
    n_invalid  BIGINT NOT NULL
);

-- Runs without a seal: few, and asked for often.
CREATE TABLE open_run (
    run        TEXT COLLATE "C" PRIMARY KEY
);

-- Results whose evidence was removed to make room. The results themselves are never removed.
CREATE TABLE pruned (
    run        TEXT COLLATE "C" NOT NULL,
    key        TEXT COLLATE "C" NOT NULL,
    at         BIGINT NOT NULL,                  -- seconds since 1970; 0: it came here without
    bytes      BIGINT NOT NULL,
    PRIMARY KEY (run, key)
);
CREATE TRIGGER pruned_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON pruned EXECUTE FUNCTION refuse_change();

-- An evidence text may go when every result that has it says that it was pruned.
CREATE FUNCTION refuse_unpruned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM result r WHERE r.evidence_sha256 = OLD.sha256 AND NOT EXISTS
               (SELECT 1 FROM pruned p WHERE p.run = r.run AND (p.key = r.key OR p.key = ''))) THEN
        RAISE EXCEPTION 'rows are only added';
    END IF;
    RETURN OLD;
END $$;
DROP TRIGGER evidence_is_kept ON evidence;
CREATE TRIGGER evidence_is_fixed BEFORE UPDATE OR TRUNCATE ON evidence EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence FOR EACH ROW EXECUTE FUNCTION refuse_unpruned();

-- Its questions are answered by series and figure.
DROP INDEX result_by_target;
