-- What has come of the tries to fetch WeChat's bill of a day that is not here. Which days
-- are missing follows from bills; this only spaces the tries.
CREATE TABLE bill_tries (
  day      TEXT PRIMARY KEY CHECK (length(day) = 10),
  tries    INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  next_at  INTEGER NOT NULL,
  why      TEXT NOT NULL DEFAULT '', -- not_ready, unavailable, refused; empty while one is under way
  problem  TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
