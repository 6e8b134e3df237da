-- What has come of the tries to fetch WeChat's bill of a day that is not here. Which days
-- are missing follows from bills; this only spaces the tries.
CREATE TABLE bill_tries (
  merchant TEXT NOT NULL,
  day      TEXT NOT NULL CHECK (length(day) = 10),
  tries    INTEGER NOT NULL,
  tried_at INTEGER NOT NULL,
  next_at  INTEGER NOT NULL,
  why      TEXT NOT NULL DEFAULT '', -- not_ready, unavailable, refused; empty while one is under way
  problem  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (merchant, day)
) STRICT, WITHOUT ROWID;

-- Why a refund was handed to the desk while its abnormal_at is set: the provider gave up
-- on it, gave back another sum, refused it for good, or it has failed for too long. Empty
-- for those of before, which the provider had given up on.
ALTER TABLE refunds ADD COLUMN handed TEXT NOT NULL DEFAULT '' CHECK (handed IN ('', 'abnormal', 'amount', 'refused', 'failing'));
-- Since when nothing has come of it; empty while the provider answers.
ALTER TABLE refunds ADD COLUMN failing_since INTEGER;
-- Until when a call that sends it, or the question before it is handed over, may be on its way.
ALTER TABLE refunds ADD COLUMN calls_until INTEGER;
-- Who confirmed that its money was handed back by hand.
ALTER TABLE refunds ADD COLUMN confirmed_by TEXT REFERENCES staff (id);
-- When the provider said that it arrived, although it had been handed back by hand.
ALTER TABLE refunds ADD COLUMN twice_at INTEGER;
UPDATE refunds SET confirmed_by = (SELECT a.actor FROM audit a WHERE a.action = 'confirm refund' AND a.target = refunds.id
    AND a.actor IN (SELECT id FROM staff) LIMIT 1)
  WHERE done_at IS NOT NULL AND abnormal_at IS NOT NULL;
CREATE INDEX refunds_twice ON refunds (twice_at) WHERE twice_at IS NOT NULL;
-- Those that were handed back by hand are asked about for a while, in case they went back twice.
CREATE INDEX refunds_to_look_at ON refunds (next_try_at) WHERE confirmed_by IS NOT NULL AND twice_at IS NULL;
UPDATE refunds SET next_try_at = NULL WHERE done_at IS NOT NULL;
-- Those that were handed to the desk are asked about as well.
DROP INDEX refunds_open;
CREATE INDEX refunds_open ON refunds (next_try_at) WHERE done_at IS NULL;

-- From where a code was asked for: a hash of the address alone, by which what one address
-- causes is counted over all phones; '' where the code was surely not sent. Like
-- asked_from it is forgotten after a day.
ALTER TABLE login_codes ADD COLUMN place TEXT NOT NULL DEFAULT '';
CREATE INDEX login_codes_by_place ON login_codes (place, created_at);

-- Whose messages a channel has refused since it took one: short hashes of up to as many
-- receivers as it takes to show the channel as failing, parted by spaces.
ALTER TABLE channel_state ADD COLUMN refused TEXT NOT NULL DEFAULT '';
