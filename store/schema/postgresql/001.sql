-- 001 - runs, results, seals, calibrations, as in the embedded store, and the evidence texts, which there are files beside it.
-- Rows are only ever added; the triggers hold us to it. Texts sort by their bytes, as they do there.
CREATE TABLE schema_version (
    version    INTEGER PRIMARY KEY,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE run (
    id         TEXT COLLATE "C" PRIMARY KEY,
    started_at BIGINT NOT NULL,              -- seconds since 1970
    host       TEXT COLLATE "C" NOT NULL,    -- fingerprint of the machine
    manifest   TEXT NOT NULL                 -- JSON
);

CREATE TABLE result (
    run        TEXT COLLATE "C" NOT NULL REFERENCES run (id),
    key        TEXT COLLATE "C" NOT NULL,
    target     TEXT COLLATE "C" NOT NULL,
    variant    TEXT COLLATE "C" NOT NULL,
    device     TEXT COLLATE "C" NOT NULL,
    grade      TEXT COLLATE "C" NOT NULL,
    result     TEXT NOT NULL,                -- JSON
    evidence_sha256 TEXT COLLATE "C" NOT NULL,       -- of the evidence text
    rowid      BIGINT GENERATED ALWAYS AS IDENTITY,  -- the order of adding, by the name that it has in the embedded store
    PRIMARY KEY (run, key)
);
CREATE INDEX result_by_target ON result (target, variant, device);
CREATE UNIQUE INDEX result_by_rowid ON result (rowid);

CREATE INDEX result_by_evidence ON result (evidence_sha256);

-- By its hash: adding one again changes nothing, and one without a result, of a writer that was killed, harms nobody.
CREATE TABLE evidence (
    sha256     TEXT COLLATE "C" PRIMARY KEY,
    evidence   TEXT NOT NULL                 -- JSON, byte for byte as in the file
);

-- A run without a seal is incomplete.
CREATE TABLE seal (
    run         TEXT COLLATE "C" PRIMARY KEY REFERENCES run (id),
    finished_at BIGINT NOT NULL,
    summary     TEXT NOT NULL                -- JSON
);

CREATE TABLE calibration (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host       TEXT COLLATE "C" NOT NULL,
    taken_at   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    calibration TEXT NOT NULL                -- JSON
);
CREATE INDEX calibration_by_host ON calibration (host, taken_at);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'rows are only added'; END $$;
CREATE TRIGGER run_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON run EXECUTE FUNCTION refuse_change();
CREATE TRIGGER result_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON result EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence EXECUTE FUNCTION refuse_change();
CREATE TRIGGER seal_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON seal EXECUTE FUNCTION refuse_change();

-- Two functions of the embedded engine, so that statements are written once.
CREATE FUNCTION json_extract(json TEXT, path TEXT) RETURNS TEXT IMMUTABLE PARALLEL SAFE LANGUAGE SQL
    AS $$ SELECT jsonb_path_query_first($1::jsonb, $2::jsonpath) #>> '{}' $$;
CREATE FUNCTION glob(pattern TEXT, string TEXT) RETURNS BOOLEAN IMMUTABLE PARALLEL SAFE LANGUAGE SQL
    AS $$ SELECT $2 LIKE
          replace(replace(replace(replace(replace($1, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%'), '?', '_') $$;
