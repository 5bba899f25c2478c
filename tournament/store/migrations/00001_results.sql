-- +goose Up
-- One row: which tournament this is.
CREATE TABLE tournament (
  one         INTEGER PRIMARY KEY CHECK (one = 1),
  id          TEXT NOT NULL, -- names its streams in the queue
  plan        TEXT NOT NULL, -- all that influences results, a line for each thing
  fingerprint TEXT NOT NULL, -- of plan
  version     TEXT NOT NULL, -- of the program that began it
  created     TEXT NOT NULL
) STRICT;

-- A game that counts. Nothing is ever changed here: a result that comes twice is the same result.
CREATE TABLE game (
  id       TEXT PRIMARY KEY,
  attempt  INTEGER NOT NULL,
  round    INTEGER NOT NULL,
  pair     INTEGER NOT NULL,
  first    INTEGER NOT NULL, -- players by their place in the plan, from 0
  second   INTEGER NOT NULL,
  winner   INTEGER,          -- seat 1 or 2; NULL: a draw
  fault    INTEGER,          -- seat
  code     TEXT NOT NULL,
  reason   TEXT NOT NULL,
  plies    INTEGER NOT NULL,
  took_ms  REAL NOT NULL,
  ended    TEXT NOT NULL,
  worker   TEXT NOT NULL,
  detail   TEXT NOT NULL     -- JSON: the whole ending, times and usage of both seats
) STRICT, WITHOUT ROWID;
CREATE INDEX game_players ON game (first, second);

-- A game that the machine or the referee spoilt. It is played again.
CREATE TABLE void (
  id      TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  reason  TEXT NOT NULL,
  ended   TEXT NOT NULL,
  worker  TEXT NOT NULL,
  detail  TEXT NOT NULL,
  PRIMARY KEY (id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  id      TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  zstd    BLOB NOT NULL, -- JSON Lines
  PRIMARY KEY (id, attempt)
) STRICT;

-- +goose Down
DROP TABLE record;
DROP TABLE void;
DROP TABLE game;
DROP TABLE tournament;
