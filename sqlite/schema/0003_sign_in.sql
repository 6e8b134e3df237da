-- Who asked for a login code: a hash of phone and address, '' when it is nobody's.
-- An address can be found again from its hash by trying all there are; so these rows
-- are forgotten after a day, which is as long as anybody asks for them.
ALTER TABLE login_codes ADD COLUMN asked_from TEXT NOT NULL DEFAULT '';

-- Wrong tries at a code, by the hash of where they came from. login_codes.tries is
-- their sum.
CREATE TABLE login_code_tries (
  code_id   TEXT NOT NULL REFERENCES login_codes (id) ON DELETE CASCADE,
  from_hash TEXT NOT NULL,
  tries     INTEGER NOT NULL,
  PRIMARY KEY (code_id, from_hash)
) STRICT, WITHOUT ROWID;

-- Browsers in which a staff member has signed in before, by the hash of a token
-- that only the browser has. One browser may be known for several of the staff.
CREATE TABLE known_browsers (
  token_hash TEXT NOT NULL,
  staff_id   TEXT NOT NULL REFERENCES staff (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (token_hash, staff_id)
) STRICT;
CREATE INDEX known_browsers_by_staff ON known_browsers (staff_id, expires_at);
CREATE INDEX known_browsers_by_age ON known_browsers (expires_at);
