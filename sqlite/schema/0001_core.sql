-- The tables of a club. Instants are INTEGER unix seconds, UTC; money is INTEGER
-- fen; nothing that time alone can change is stored. Rows keep facts (what
-- happened) and promises (deadlines fixed when the row was made).

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

-- The last instant that any process has handed out; raised by every write.
-- The demo columns move the clock of a demonstration and stay 0 and NULL elsewhere.
CREATE TABLE clock (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  last_instant   INTEGER NOT NULL DEFAULT 0,
  demo_offset    INTEGER NOT NULL DEFAULT 0,
  demo_frozen_at INTEGER
) STRICT;
INSERT INTO clock (id) VALUES (1);

-- One row. version rises with every change, so that readers may keep what they parsed.
CREATE TABLE venue (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  version     INTEGER NOT NULL,
  name        TEXT NOT NULL,
  zone        TEXT NOT NULL,
  currency    TEXT NOT NULL DEFAULT 'CNY',
  address     TEXT NOT NULL DEFAULT '',
  phone       TEXT NOT NULL DEFAULT '',
  policy      TEXT NOT NULL CHECK (json_valid(policy)),
  hours       TEXT NOT NULL CHECK (json_valid(hours)),
  price_rules TEXT NOT NULL CHECK (json_valid(price_rules))
) STRICT;

-- What a business day's opening and grid are, for the views: worked out from the hours
-- whenever they change and when the program starts; no rule of the program reads it.
CREATE TABLE grid_days (
  day           TEXT PRIMARY KEY,
  opens_at      INTEGER NOT NULL,
  closes_at     INTEGER NOT NULL,
  slot_seconds  INTEGER NOT NULL CHECK (slot_seconds > 0),
  bookable_from INTEGER NOT NULL
) STRICT;

-- The venue's zone as offsets, so that the views can print local times.
CREATE TABLE zone_offsets (from_at INTEGER PRIMARY KEY, seconds INTEGER NOT NULL) STRICT;

CREATE TABLE courts (
  id       TEXT PRIMARY KEY,
  name     TEXT NOT NULL,
  position INTEGER NOT NULL,
  active   INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

CREATE TABLE customers (
  id         TEXT PRIMARY KEY,
  phone      TEXT UNIQUE,
  name       TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE staff (
  id            TEXT PRIMARY KEY,
  username      TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  role          TEXT NOT NULL CHECK (role IN ('desk', 'owner')),
  password_hash TEXT NOT NULL,
  active        INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  token_hash  TEXT PRIMARY KEY,
  customer_id TEXT REFERENCES customers (id),
  staff_id    TEXT REFERENCES staff (id),
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  revoked_at  INTEGER,
  CHECK ((customer_id IS NULL) <> (staff_id IS NULL))
) STRICT;
CREATE INDEX sessions_by_age ON sessions (expires_at);
CREATE INDEX sessions_by_staff ON sessions (staff_id) WHERE staff_id IS NOT NULL;

CREATE TABLE login_codes (
  id         TEXT PRIMARY KEY,
  phone      TEXT NOT NULL,
  code_hash  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  tries      INTEGER NOT NULL DEFAULT 0,
  used_at    INTEGER
) STRICT;
CREATE INDEX login_codes_by_phone ON login_codes (phone, created_at);
CREATE INDEX login_codes_by_age ON login_codes (created_at);

-- What a client has already been answered: account and key (or scan nonce) name
-- one command; the same again gets the same thing again.
CREATE TABLE commands (
  id        TEXT PRIMARY KEY,
  at        INTEGER NOT NULL,
  body_hash TEXT NOT NULL,
  result    TEXT NOT NULL
) STRICT;
CREATE INDEX commands_by_age ON commands (at);

CREATE TABLE orders (
  id          TEXT PRIMARY KEY,
  number_day  TEXT NOT NULL,
  number_seq  INTEGER NOT NULL CHECK (number_seq > 0),
  number      TEXT NOT NULL,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  contact     TEXT NOT NULL DEFAULT '',
  channel     TEXT NOT NULL CHECK (channel IN ('online', 'desk')),
  pay         TEXT NOT NULL CHECK (pay IN ('online', 'on_arrival', 'cash')),
  booked_by   TEXT REFERENCES staff (id),
  booked_at   INTEGER NOT NULL,
  terms       TEXT NOT NULL CHECK (json_valid(terms)),
  ticket_code TEXT NOT NULL UNIQUE CHECK (length(ticket_code) >= 26),
  forgiven_at INTEGER,
  UNIQUE (number_day, number_seq)
) STRICT;
CREATE INDEX orders_by_customer ON orders (customer_id, booked_at, id);

CREATE TABLE reservations (
  id            TEXT PRIMARY KEY,
  order_id      TEXT NOT NULL REFERENCES orders (id),
  seq           INTEGER NOT NULL CHECK (seq > 0),
  customer_id   TEXT NOT NULL REFERENCES customers (id),
  court_id      TEXT NOT NULL REFERENCES courts (id),
  day           TEXT NOT NULL CHECK (length(day) = 10),
  price_fen     INTEGER NOT NULL CHECK (price_fen >= 0),
  discount_fen  INTEGER NOT NULL CHECK (discount_fen BETWEEN 0 AND price_fen),
  price_rule    TEXT NOT NULL,
  -- promises
  booked_at     INTEGER NOT NULL,
  pay_by        INTEGER,
  check_in_from INTEGER NOT NULL,
  check_in_by   INTEGER NOT NULL,
  starts_at     INTEGER NOT NULL,
  ends_at       INTEGER NOT NULL,
  -- facts
  paid_at       INTEGER,
  checked_in_at INTEGER,
  cancelled_at  INTEGER,
  moved         INTEGER NOT NULL DEFAULT 0 CHECK (moved IN (0, 1)),
  out_of_window INTEGER NOT NULL DEFAULT 0 CHECK (out_of_window IN (0, 1)),
  cancelled_by  TEXT,
  cancel_reason TEXT NOT NULL DEFAULT '',
  replaces      TEXT UNIQUE REFERENCES reservations (id),
  replaced_as   TEXT CHECK (replaced_as IN ('revived', 'undone', 'moved')),
  settled_at    INTEGER,
  -- the one rule
  release_at INTEGER GENERATED ALWAYS AS (
    CASE WHEN cancelled_at  IS NOT NULL THEN cancelled_at
         WHEN checked_in_at IS NOT NULL THEN ends_at
         WHEN paid_at       IS NOT NULL THEN check_in_by
         ELSE pay_by END) VIRTUAL,
  ending TEXT GENERATED ALWAYS AS (
    CASE WHEN cancelled_at  IS NOT NULL THEN CASE moved WHEN 1 THEN 'moved' ELSE 'cancelled' END
         WHEN checked_in_at IS NOT NULL THEN 'completed'
         WHEN paid_at       IS NOT NULL THEN 'no_show'
         ELSE 'lapsed' END) VIRTUAL,
  UNIQUE (order_id, seq),
  CHECK (starts_at < ends_at),
  CHECK (check_in_from <= starts_at AND starts_at < check_in_by AND check_in_by <= ends_at),
  CHECK (pay_by IS NULL OR (booked_at < pay_by AND pay_by <= starts_at)),
  CHECK (pay_by IS NOT NULL OR paid_at IS booked_at),
  CHECK (paid_at IS NULL OR pay_by IS NULL OR (booked_at <= paid_at AND paid_at < pay_by)),
  CHECK (checked_in_at IS NULL OR (paid_at IS NOT NULL AND paid_at <= checked_in_at)),
  CHECK (checked_in_at IS NULL OR checked_in_at < check_in_by OR (checked_in_at = booked_at AND out_of_window = 1)),
  CHECK (checked_in_at IS NULL OR check_in_from <= checked_in_at OR out_of_window = 1),
  CHECK (cancelled_at IS NULL OR (coalesce(checked_in_at, paid_at, booked_at) <= cancelled_at AND cancelled_at <
         CASE WHEN checked_in_at IS NOT NULL THEN ends_at
              WHEN paid_at       IS NOT NULL THEN check_in_by
              ELSE pay_by END)),
  CHECK (moved = 0 OR cancelled_at IS NOT NULL),
  CHECK ((replaces IS NULL) = (replaced_as IS NULL)),
  CHECK (settled_at IS NULL OR release_at <= settled_at)
) STRICT;
CREATE UNIQUE INDEX reservations_one_per_slot ON reservations (court_id, starts_at) WHERE settled_at IS NULL;
CREATE INDEX reservations_due      ON reservations (release_at) WHERE settled_at IS NULL;
CREATE INDEX reservations_by_start ON reservations (starts_at, release_at);
CREATE INDEX reservations_by_customer ON reservations (customer_id, day);
CREATE INDEX reservations_by_release  ON reservations (customer_id, release_at);

CREATE TABLE goods (
  id        TEXT PRIMARY KEY,
  name      TEXT NOT NULL,
  price_fen INTEGER NOT NULL CHECK (price_fen >= 0),
  position  INTEGER NOT NULL,
  active    INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
) STRICT;

CREATE TABLE coupons (
  code                  TEXT PRIMARY KEY,
  name                  TEXT NOT NULL,
  percent               INTEGER NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
  amount_fen            INTEGER NOT NULL DEFAULT 0 CHECK (amount_fen >= 0),
  min_total_fen         INTEGER NOT NULL DEFAULT 0,
  valid_from            INTEGER,
  valid_until           INTEGER,
  max_uses              INTEGER NOT NULL DEFAULT 0,
  max_uses_per_customer INTEGER NOT NULL DEFAULT 0,
  active                INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  created_at            INTEGER NOT NULL
) STRICT;

-- An order's claim on goods and a coupon. check_in_by is the end of the order's
-- last slot; for goods alone it is 253402300799 (never).
CREATE TABLE baskets (
  id             TEXT PRIMARY KEY,
  order_id       TEXT NOT NULL REFERENCES orders (id),
  seq            INTEGER NOT NULL CHECK (seq > 0),
  customer_id    TEXT NOT NULL REFERENCES customers (id),
  coupon_code    TEXT REFERENCES coupons (code),
  coupon_kept    INTEGER NOT NULL DEFAULT 0 CHECK (coupon_kept IN (0, 1)),
  has_goods      INTEGER NOT NULL CHECK (has_goods IN (0, 1)),
  discount_fen   INTEGER NOT NULL CHECK (discount_fen >= 0),
  booked_at      INTEGER NOT NULL,
  pay_by         INTEGER,
  check_in_by    INTEGER NOT NULL,
  paid_at        INTEGER,
  handed_over_at INTEGER,
  cancelled_at   INTEGER,
  moved          INTEGER NOT NULL DEFAULT 0 CHECK (moved IN (0, 1)),
  cancelled_by   TEXT,
  cancel_reason  TEXT NOT NULL DEFAULT '',
  replaces       TEXT UNIQUE REFERENCES baskets (id),
  settled_at     INTEGER,
  release_at INTEGER GENERATED ALWAYS AS (
    CASE WHEN cancelled_at   IS NOT NULL THEN cancelled_at
         WHEN handed_over_at IS NOT NULL THEN handed_over_at
         WHEN paid_at        IS NOT NULL THEN check_in_by
         ELSE pay_by END) VIRTUAL,
  ending TEXT GENERATED ALWAYS AS (
    CASE WHEN cancelled_at   IS NOT NULL THEN CASE moved WHEN 1 THEN 'moved' ELSE 'cancelled' END
         WHEN handed_over_at IS NOT NULL THEN 'completed'
         WHEN paid_at        IS NOT NULL THEN 'no_show'
         ELSE 'lapsed' END) VIRTUAL,
  UNIQUE (order_id, seq),
  CHECK (has_goods = 1 OR coupon_code IS NOT NULL),
  CHECK (pay_by IS NULL OR (booked_at < pay_by AND pay_by <= check_in_by)),
  CHECK (pay_by IS NOT NULL OR paid_at IS booked_at),
  CHECK (paid_at IS NULL OR pay_by IS NULL OR (booked_at <= paid_at AND paid_at < pay_by)),
  CHECK (handed_over_at IS NULL OR (paid_at IS NOT NULL AND paid_at <= handed_over_at AND handed_over_at < check_in_by)),
  CHECK (handed_over_at IS NULL OR cancelled_at IS NULL),
  CHECK (cancelled_at IS NULL OR (coalesce(paid_at, booked_at) <= cancelled_at AND cancelled_at <
         CASE WHEN paid_at IS NOT NULL THEN check_in_by ELSE pay_by END)),
  CHECK (moved = 0 OR cancelled_at IS NOT NULL),
  CHECK (settled_at IS NULL OR release_at <= settled_at)
) STRICT;
CREATE INDEX baskets_due       ON baskets (release_at) WHERE settled_at IS NULL;
CREATE INDEX baskets_by_coupon ON baskets (coupon_code) WHERE coupon_code IS NOT NULL;
CREATE INDEX baskets_by_release ON baskets (customer_id, release_at);

CREATE TABLE basket_lines (
  basket_id TEXT NOT NULL REFERENCES baskets (id),
  good_id   TEXT NOT NULL REFERENCES goods (id),
  qty       INTEGER NOT NULL CHECK (qty > 0),
  price_fen INTEGER NOT NULL CHECK (price_fen >= 0),
  name      TEXT NOT NULL,
  PRIMARY KEY (basket_id, good_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX basket_lines_by_good ON basket_lines (good_id);

-- The shelf as a ledger: append-only, each row carries the balance after it.
CREATE TABLE stock_moves (
  id        INTEGER PRIMARY KEY,
  good_id   TEXT NOT NULL REFERENCES goods (id),
  kind      TEXT NOT NULL CHECK (kind IN ('receipt', 'sold', 'restock', 'adjust')),
  qty       INTEGER NOT NULL,
  balance   INTEGER NOT NULL CHECK (balance >= 0),
  basket_id TEXT REFERENCES baskets (id),
  at        INTEGER NOT NULL,
  staff_id  TEXT REFERENCES staff (id),
  note      TEXT NOT NULL DEFAULT '',
  CHECK ((kind IN ('sold', 'restock')) = (basket_id IS NOT NULL)),
  CHECK (CASE kind WHEN 'sold' THEN qty < 0 WHEN 'adjust' THEN qty <> 0 ELSE qty > 0 END)
) STRICT;
CREATE UNIQUE INDEX stock_moves_once ON stock_moves (basket_id, good_id, kind) WHERE basket_id IS NOT NULL;
CREATE INDEX stock_moves_by_good ON stock_moves (good_id, id);

-- Payment attempts, and the desk's cash. id is the out_trade_no.
CREATE TABLE payments (
  id             TEXT PRIMARY KEY CHECK (length(id) BETWEEN 6 AND 32),
  order_id       TEXT NOT NULL REFERENCES orders (id),
  via            TEXT NOT NULL,
  purpose        TEXT NOT NULL CHECK (purpose IN ('order', 'move')),
  amount_fen     INTEGER NOT NULL CHECK (amount_fen > 0),
  currency       TEXT NOT NULL,
  merchant       TEXT NOT NULL DEFAULT '',
  app            TEXT NOT NULL DEFAULT '',
  request        TEXT NOT NULL DEFAULT '',
  opened_at      INTEGER NOT NULL,
  expires_at     INTEGER,
  closed_at      INTEGER,
  succeeded_at   INTEGER,
  success_time   INTEGER,
  transaction_id TEXT,
  verdict        TEXT CHECK (verdict IN ('paid', 'revived', 'refunded', 'flagged')),
  verdict_reason TEXT,
  asks           INTEGER NOT NULL DEFAULT 0,
  next_ask_at    INTEGER,
  last_error     TEXT NOT NULL DEFAULT '',
  CHECK ((succeeded_at IS NULL) = (verdict IS NULL) OR verdict IS 'flagged')
) STRICT;
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX payments_flagged ON payments (id) WHERE verdict = 'flagged';
CREATE INDEX payments_open ON payments (next_ask_at) WHERE succeeded_at IS NULL AND closed_at IS NULL AND verdict IS NULL;

-- id is the out_refund_no and follows from (payment, purpose, cause).
CREATE TABLE refunds (
  id          TEXT PRIMARY KEY,
  payment_id  TEXT NOT NULL REFERENCES payments (id),
  order_id    TEXT NOT NULL REFERENCES orders (id),
  purpose     TEXT NOT NULL CHECK (purpose IN ('cancel', 'closure', 'late', 'duplicate', 'no_show', 'move', 'goodwill')),
  cause       TEXT NOT NULL,
  amount_fen  INTEGER NOT NULL CHECK (amount_fen > 0),
  reason      TEXT NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL,
  sent_at     INTEGER,
  done_at     INTEGER,
  abnormal_at INTEGER,
  tries       INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER,
  last_error  TEXT NOT NULL DEFAULT '',
  UNIQUE (payment_id, purpose, cause)
) STRICT;
CREATE INDEX refunds_by_order ON refunds (order_id);
CREATE INDEX refunds_not_done ON refunds (created_at) WHERE done_at IS NULL;
CREATE INDEX refunds_open ON refunds (next_try_at) WHERE done_at IS NULL AND abnormal_at IS NULL;

-- What a provider told us, word for word, before it was acknowledged.
CREATE TABLE provider_events (
  id          INTEGER PRIMARY KEY,
  provider    TEXT NOT NULL,
  notice_id   TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  body        BLOB NOT NULL,
  about       TEXT NOT NULL DEFAULT '',
  outcome     TEXT NOT NULL
) STRICT;
CREATE INDEX provider_events_by_about ON provider_events (about);

CREATE TABLE closures (
  id        TEXT PRIMARY KEY,
  from_at   INTEGER NOT NULL,
  to_at     INTEGER NOT NULL,
  reason    TEXT NOT NULL DEFAULT '',
  made_at   INTEGER NOT NULL,
  made_by   TEXT REFERENCES staff (id),
  lifted_at INTEGER,
  lifted_by TEXT REFERENCES staff (id),
  CHECK (from_at < to_at),
  CHECK (lifted_at IS NULL OR made_at <= lifted_at)
) STRICT;
CREATE TABLE closure_courts (
  closure_id TEXT NOT NULL REFERENCES closures (id),
  court_id   TEXT NOT NULL REFERENCES courts (id),
  PRIMARY KEY (closure_id, court_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX closures_by_time ON closures (to_at, from_at);

-- The outbox: one message of one kind about one order (or reservation) on one occasion.
CREATE TABLE notices (
  id             TEXT PRIMARY KEY,
  customer_id    TEXT NOT NULL REFERENCES customers (id),
  order_id       TEXT NOT NULL REFERENCES orders (id),
  reservation_id TEXT REFERENCES reservations (id),
  kind           TEXT NOT NULL CHECK (kind IN ('held', 'lapsed', 'paid', 'reminder', 'cancelled', 'moved',
                                               'refunded', 'late_money', 'no_show', 'closure')),
  occasion       TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  title          TEXT NOT NULL,
  text           TEXT NOT NULL,
  title_en       TEXT NOT NULL,
  text_en        TEXT NOT NULL,
  sent_at        INTEGER,
  dropped_at     INTEGER,
  gave_up_at     INTEGER,
  drop_reason    TEXT NOT NULL DEFAULT '',
  tries          INTEGER NOT NULL DEFAULT 0,
  next_try_at    INTEGER NOT NULL,
  last_error     TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX notices_once ON notices (order_id, coalesce(reservation_id, ''), kind, occasion);
CREATE INDEX notices_outbox ON notices (next_try_at) WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL;
CREATE INDEX notices_by_age ON notices (created_at, id);
CREATE INDEX notices_given_up ON notices (gave_up_at) WHERE gave_up_at IS NOT NULL;
CREATE INDEX notices_by_customer ON notices (customer_id, created_at, id);

-- Effects of an ending that could not be posted; the ending itself stands.
CREATE TABLE parked_effects (
  claim_id TEXT NOT NULL,
  effect   TEXT NOT NULL,
  order_id TEXT NOT NULL,
  tries    INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  error    TEXT NOT NULL,
  PRIMARY KEY (claim_id, effect)
) STRICT, WITHOUT ROWID;

CREATE TABLE reconciler_runs (
  id         INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  ok         INTEGER NOT NULL CHECK (ok IN (0, 1)),
  report     TEXT NOT NULL CHECK (json_valid(report)),
  error      TEXT NOT NULL DEFAULT ''
) STRICT;

-- Who did what, when and why. Append-only.
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  role    TEXT NOT NULL,
  action  TEXT NOT NULL,
  target  TEXT NOT NULL,
  reason  TEXT NOT NULL DEFAULT '',
  detail  TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(detail))
) STRICT;
CREATE INDEX audit_by_target ON audit (target);

-- The pretend bank of a demonstration. Empty in a real venue.
CREATE TABLE sandbox_payments (
  out_trade_no   TEXT PRIMARY KEY,
  amount_fen     INTEGER NOT NULL,
  currency       TEXT NOT NULL,
  request        TEXT NOT NULL,
  expires_at     INTEGER NOT NULL,
  state          TEXT NOT NULL CHECK (state IN ('pending', 'succeeded', 'failed', 'closed')),
  success_time   INTEGER,
  transaction_id TEXT
) STRICT;
CREATE TABLE sandbox_refunds (
  out_refund_no TEXT PRIMARY KEY,
  out_trade_no  TEXT NOT NULL REFERENCES sandbox_payments (out_trade_no),
  amount_fen    INTEGER NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('processing', 'succeeded', 'abnormal')),
  asked         INTEGER NOT NULL DEFAULT 0
) STRICT;
