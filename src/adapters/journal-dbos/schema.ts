/**
 * What Clew keeps beside DBOS's own tables. `journal` is the log of all runs: events have a number, given by `counter`
 * in the transaction that inserts them, and a key, so that each is told once however often a run is replayed.
 */
export const runSchema = `
CREATE SCHEMA IF NOT EXISTS clew;
CREATE TABLE IF NOT EXISTS clew.counter (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  last_event bigint NOT NULL DEFAULT 0
);
INSERT INTO clew.counter DEFAULT VALUES ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS clew.runs (
  id text PRIMARY KEY,
  status text NOT NULL DEFAULT 'running',
  cancel_asked boolean NOT NULL DEFAULT false,
  signals_sent integer NOT NULL DEFAULT 0,
  signals_heard integer NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS clew.journal (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text NOT NULL REFERENCES clew.runs,
  n bigint UNIQUE,
  key text,
  running_ms double precision,
  line text NOT NULL,
  UNIQUE (run_id, key)
);
CREATE INDEX IF NOT EXISTS journal_of_run ON clew.journal (run_id, id);
`;
