-- How often what is said of a stretch of time has been touched: a row for each day of
-- UTC, whatever the venue's zone, and -1 for what is said of every day. Whoever keeps an
-- answer about a day knows by these alone, in any process, whether it may have changed.
CREATE TABLE day_touches (
  utc_day INTEGER PRIMARY KEY CHECK (utc_day >= -1),
  times   INTEGER NOT NULL CHECK (times > 0)
) STRICT;
