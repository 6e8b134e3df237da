-- A customer is known by a phone, by an openid, or by both. merged_into names the
-- customer who took over all that this one had, when one person turned out to be two.
ALTER TABLE customers ADD COLUMN openid TEXT;
ALTER TABLE customers ADD COLUMN email TEXT;
ALTER TABLE customers ADD COLUMN merged_into TEXT REFERENCES customers (id);
CREATE UNIQUE INDEX customers_by_openid ON customers (openid) WHERE openid IS NOT NULL;
CREATE INDEX customers_merged ON customers (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX sessions_by_customer ON sessions (customer_id) WHERE customer_id IS NOT NULL;

-- When the provider was last asked to open an attempt, and when a closed one is looked
-- at again, in case money came after all and its notice was lost.
ALTER TABLE payments ADD COLUMN called_at INTEGER;
ALTER TABLE payments ADD COLUMN look_again_at INTEGER;
-- What the provider gave to pay with, as JSON, and when.
ALTER TABLE payments ADD COLUMN opened TEXT NOT NULL DEFAULT '';
-- Who paid, by the provider's word: it need not be the customer.
ALTER TABLE payments ADD COLUMN payer_openid TEXT;
CREATE INDEX payments_second_looks ON payments (look_again_at) WHERE look_again_at IS NOT NULL AND succeeded_at IS NULL;

-- How the venue tells people things: routes, words, templates, webhooks, as JSON.
ALTER TABLE venue ADD COLUMN messages TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(messages));

-- What a notice is about, by name, for channels that say it in a form of their own.
ALTER TABLE notices ADD COLUMN facts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(facts));

-- What happened, for the venue's own software: told to its webhooks.
CREATE TABLE events (
  id      TEXT PRIMARY KEY,
  kind    TEXT NOT NULL,
  about   TEXT NOT NULL,
  at      INTEGER NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload))
) STRICT;
CREATE INDEX events_by_age ON events (at, id);

-- One message on its way by one channel: wechat, sms, mail, log (the page and the
-- log), or webhook:ID. A notice's own columns say what came of all of them together.
CREATE TABLE deliveries (
  id          INTEGER PRIMARY KEY,
  notice_id   TEXT REFERENCES notices (id),
  event_id    TEXT REFERENCES events (id),
  channel     TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  sent_at     INTEGER,
  dropped_at  INTEGER,
  gave_up_at  INTEGER,
  why         TEXT NOT NULL DEFAULT '',
  last_error  TEXT NOT NULL DEFAULT '',
  CHECK ((notice_id IS NULL) <> (event_id IS NULL)),
  CHECK ((sent_at IS NOT NULL) + (dropped_at IS NOT NULL) + (gave_up_at IS NOT NULL) <= 1)
) STRICT;
CREATE UNIQUE INDEX deliveries_of_notice ON deliveries (notice_id, channel) WHERE notice_id IS NOT NULL;
CREATE UNIQUE INDEX deliveries_of_event  ON deliveries (event_id, channel) WHERE event_id IS NOT NULL;
CREATE INDEX deliveries_outbox ON deliveries (channel, next_try_at) WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL;
CREATE INDEX deliveries_given_up ON deliveries (gave_up_at) WHERE gave_up_at IS NOT NULL;
CREATE INDEX deliveries_by_channel ON deliveries (channel, id);
-- Why a notice was dropped is a word from now on, not a sentence.
UPDATE notices SET drop_reason = CASE
    WHEN drop_reason LIKE 'the order is %' THEN 'order_' || substr(drop_reason, 14)
    WHEN drop_reason LIKE 'the booking is gone%' THEN 'slot_gone'
    WHEN drop_reason = 'the no-show was undone' THEN 'no_show_undone'
    ELSE drop_reason END
  WHERE drop_reason <> '';
INSERT INTO deliveries (notice_id, channel, created_at, next_try_at, tries, sent_at, dropped_at, gave_up_at, why, last_error)
  SELECT id, 'log', created_at, next_try_at, tries, sent_at, CASE WHEN sent_at IS NULL THEN dropped_at END,
    CASE WHEN sent_at IS NULL AND dropped_at IS NULL THEN gave_up_at END, drop_reason, last_error FROM notices;

-- What is known of a channel as a whole: how many tries in a row it has failed, until
-- when it is left alone, and how many messages it has taken on a day of the venue.
CREATE TABLE channel_state (
  channel       TEXT PRIMARY KEY,
  fails         INTEGER NOT NULL DEFAULT 0,
  paused_until  INTEGER,
  day           TEXT NOT NULL DEFAULT '',
  sent_today    INTEGER NOT NULL DEFAULT 0,
  last_sent_at  INTEGER,
  last_error_at INTEGER,
  last_error    TEXT NOT NULL DEFAULT ''
) STRICT;

-- How many more messages of a template somebody has allowed at WeChat.
CREATE TABLE allowances (
  openid      TEXT NOT NULL,
  template_id TEXT NOT NULL,
  left_over   INTEGER NOT NULL CHECK (left_over >= 0),
  PRIMARY KEY (openid, template_id)
) STRICT, WITHOUT ROWID;

-- What WeChat must be told of a payment after its customer has come, where the
-- category of the venue has its money frozen until then.
CREATE TABLE shipments (
  payment_id  TEXT PRIMARY KEY REFERENCES payments (id),
  by_hand     TEXT REFERENCES staff (id), -- who told WeChat on its own page
  created_at  INTEGER NOT NULL,
  next_try_at INTEGER NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  done_at     INTEGER,
  gave_up_at  INTEGER,
  last_error  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX shipments_open ON shipments (next_try_at) WHERE done_at IS NULL AND gave_up_at IS NULL;
CREATE INDEX shipments_given_up ON shipments (gave_up_at) WHERE done_at IS NULL AND gave_up_at IS NOT NULL;

-- The day close looks at some days of what WeChat took, whatever the years have left.
CREATE INDEX payments_by_bill_day ON payments (coalesce(success_time, succeeded_at), merchant, amount_fen)
  WHERE succeeded_at IS NOT NULL AND via GLOB 'wechat_*';
CREATE INDEX payments_by_merchant ON payments (merchant) WHERE via GLOB 'wechat_*';

-- A provider's bill of one day. The newest of a merchant's day counts; earlier ones stay
-- for ever, with their lines: they are what somebody may have acted on. No query of the
-- day close reads the lines of one that does not count, but to pass over them.
CREATE TABLE bills (
  id          TEXT PRIMARY KEY,
  provider    TEXT NOT NULL,
  merchant    TEXT NOT NULL DEFAULT '',
  day         TEXT NOT NULL CHECK (length(day) = 10),
  imported_at INTEGER NOT NULL,
  imported_by TEXT REFERENCES staff (id),
  digest      TEXT NOT NULL,
  UNIQUE (provider, merchant, day, digest)
) STRICT;
CREATE TABLE bill_lines (
  bill_id        TEXT NOT NULL REFERENCES bills (id),
  line           INTEGER NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
  out_trade_no   TEXT NOT NULL,
  out_refund_no  TEXT NOT NULL DEFAULT '',
  transaction_id TEXT NOT NULL DEFAULT '',
  amount_fen     INTEGER NOT NULL,
  at             INTEGER NOT NULL,
  state          TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (bill_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX bill_lines_by_trade ON bill_lines (out_trade_no);
CREATE INDEX bill_lines_by_refund ON bill_lines (out_refund_no) WHERE kind = 'refund';
CREATE INDEX bills_by_day ON bills (provider, day);

-- What somebody has said about money that does not add up; about names the difference.
CREATE TABLE explanations (
  about TEXT PRIMARY KEY,
  text  TEXT NOT NULL,
  by    TEXT NOT NULL REFERENCES staff (id),
  at    INTEGER NOT NULL
) STRICT;
