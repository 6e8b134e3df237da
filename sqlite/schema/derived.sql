-- Views and triggers: everything here follows from the tables and is made anew
-- whenever this file changes. It must run on the stock sqlite3 3.40.

-- The instant of asking: what the program would use now.
CREATE VIEW now_instant AS
SELECT max(last_instant, coalesce(demo_frozen_at, unixepoch() + demo_offset)) AS t FROM clock;

-- The venue's wall clock at this instant, and its business day: yesterday while
-- yesterday's opening goes on past midnight.
CREATE VIEW venue_now AS
SELECT v.name, datetime(n.t + z.seconds, 'unixepoch') AS now_local,
  CASE WHEN EXISTS (SELECT 1 FROM grid_days g WHERE g.day = date(n.t + z.seconds, 'unixepoch', '-1 day') AND n.t < g.closes_at)
       THEN date(n.t + z.seconds, 'unixepoch', '-1 day') ELSE date(n.t + z.seconds, 'unixepoch') END AS today
FROM venue v JOIN now_instant n
JOIN zone_offsets z ON z.from_at = (SELECT max(from_at) FROM zone_offsets WHERE from_at <= n.t);

-- Every reservation with what it is at this instant.
CREATE VIEW reservation_now AS
SELECT r.id, r.order_id, o.number, r.court_id, c.name AS court, r.day,
  CASE WHEN n.t < r.booked_at THEN 'none'
       WHEN n.t < r.release_at THEN
         CASE WHEN r.checked_in_at IS NOT NULL THEN 'playing'
              WHEN r.paid_at       IS NOT NULL THEN 'confirmed'
              ELSE 'held' END
       ELSE r.ending END AS state,
  r.booked_at <= n.t AND n.t < r.release_at AS blocks,
  EXISTS (SELECT 1 FROM reservations x WHERE x.replaces = r.id AND x.booked_at <= n.t) AS replaced,
  r.customer_id, coalesce(nullif(o.contact, ''), u.name) AS customer, u.phone, r.price_fen, r.discount_fen, r.price_rule,
  r.booked_at, r.pay_by, r.check_in_from, r.check_in_by, r.starts_at, r.ends_at,
  r.paid_at, r.checked_in_at, r.cancelled_at, r.release_at, r.ending, r.settled_at, r.replaces,
  datetime(r.starts_at  + (SELECT seconds FROM zone_offsets WHERE from_at <= r.starts_at  ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS starts_local,
  datetime(r.ends_at    + (SELECT seconds FROM zone_offsets WHERE from_at <= r.ends_at    ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS ends_local,
  datetime(r.release_at + (SELECT seconds FROM zone_offsets WHERE from_at <= r.release_at ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS release_local
FROM reservations r
JOIN now_instant n
JOIN orders o ON o.id = r.order_id
JOIN courts c ON c.id = r.court_id
JOIN customers u ON u.id = r.customer_id;

-- Every basket with what it is at this instant.
CREATE VIEW basket_now AS
SELECT b.id, b.order_id,
  CASE WHEN n.t < b.booked_at THEN 'none'
       WHEN n.t < b.release_at THEN
         CASE WHEN b.paid_at IS NOT NULL THEN 'confirmed' ELSE 'held' END
       ELSE b.ending END AS state,
  EXISTS (SELECT 1 FROM baskets x WHERE x.replaces = b.id AND x.booked_at <= n.t) AS replaced,
  b.coupon_code, b.coupon_kept, b.has_goods, b.discount_fen, b.release_at, b.ending, b.settled_at
FROM baskets b JOIN now_instant n;

-- Every order with its derived state and its money.
CREATE VIEW order_now AS
WITH parts AS (
  SELECT order_id, state, 1 AS is_slot, paid_at IS NOT NULL AS paid, price_fen - discount_fen AS net_fen, pay_by, release_at
  FROM reservation_now WHERE NOT replaced AND state <> 'none'
  UNION ALL
  SELECT b.order_id, n.state, 0, b.paid_at IS NOT NULL,
         coalesce((SELECT sum(l.qty * l.price_fen) FROM basket_lines l WHERE l.basket_id = b.id), 0) - b.discount_fen,
         b.pay_by, b.release_at
  FROM baskets b JOIN basket_now n ON n.id = b.id WHERE NOT n.replaced AND n.state <> 'none' AND b.has_goods
), sums AS (
  SELECT order_id, max(paid) AS paid, sum(net_fen) AS total_fen,
    coalesce(max(CASE WHEN state <> 'cancelled' THEN pay_by END), max(pay_by)) AS pay_by,
    sum(state IN ('held', 'confirmed', 'playing')) AS open_parts,
    sum(state <> 'cancelled') AS standing,
    sum(is_slot AND state <> 'cancelled') AS slots,
    sum(is_slot AND state = 'no_show') AS no_shows
  FROM parts GROUP BY order_id
)
SELECT o.id, o.number, o.number_day,
  CASE WHEN s.standing = 0 THEN 'cancelled'
       WHEN NOT s.paid THEN CASE WHEN s.open_parts > 0 THEN 'held' ELSE 'lapsed' END
       WHEN s.open_parts > 0 THEN 'paid'
       WHEN s.slots > 0 AND s.slots = s.no_shows THEN 'no_show'
       ELSE 'completed' END AS state,
  o.customer_id, coalesce(nullif(o.contact, ''), u.name) AS customer, u.phone, o.channel, o.pay, o.booked_at, s.pay_by, s.total_fen,
  coalesce((SELECT sum(amount_fen) FROM payments p WHERE p.order_id = o.id AND p.succeeded_at IS NOT NULL AND p.verdict IS NOT 'flagged'), 0) AS paid_fen,
  coalesce((SELECT sum(amount_fen) FROM refunds f WHERE f.order_id = o.id AND f.done_at IS NOT NULL), 0) AS refunded_fen,
  coalesce((SELECT sum(amount_fen) FROM refunds f WHERE f.order_id = o.id AND f.done_at IS NULL), 0) AS refund_pending_fen,
  datetime(o.booked_at + (SELECT seconds FROM zone_offsets WHERE from_at <= o.booked_at ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS booked_local,
  datetime(s.pay_by    + (SELECT seconds FROM zone_offsets WHERE from_at <= s.pay_by    ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS pay_by_local
FROM orders o
JOIN sums s ON s.order_id = o.id
JOIN customers u ON u.id = o.customer_id;

-- The grid of the days that can be seen, with the state of every slot.
CREATE VIEW slot_now AS
WITH RECURSIVE cells (day, starts_at, ends_at, closes_at, slot_seconds, bookable_from) AS (
  SELECT day, opens_at, opens_at + slot_seconds, closes_at, slot_seconds, bookable_from FROM grid_days
  WHERE closes_at > (SELECT t FROM now_instant) - 86400 AND bookable_from <= (SELECT t FROM now_instant) + 86400
    AND opens_at + slot_seconds <= closes_at
  UNION ALL
  SELECT day, ends_at, ends_at + slot_seconds, closes_at, slot_seconds, bookable_from FROM cells
  WHERE ends_at + slot_seconds <= closes_at
)
SELECT c.id || '@' || g.starts_at AS id, c.id AS court_id, c.name AS court, g.day, g.starts_at, g.ends_at,
  CASE WHEN g.starts_at <= n.t THEN 'past'
       WHEN EXISTS (SELECT 1 FROM closures k JOIN closure_courts kc ON kc.closure_id = k.id
                    WHERE kc.court_id = c.id AND k.from_at < g.ends_at AND g.starts_at < k.to_at
                      AND k.made_at <= n.t AND (k.lifted_at IS NULL OR n.t < k.lifted_at)) THEN 'closed'
       WHEN n.t < g.bookable_from THEN 'not_open'
       ELSE coalesce((SELECT CASE WHEN r.paid_at IS NULL THEN 'held' ELSE 'taken' END
                      FROM reservations r
                      WHERE r.court_id = c.id AND r.starts_at < g.ends_at AND r.starts_at > g.starts_at - 86400
                        AND g.starts_at < r.ends_at AND r.booked_at <= n.t AND n.t < r.release_at
                      ORDER BY r.paid_at IS NULL LIMIT 1), 'free') END AS state,
  datetime(g.starts_at + (SELECT seconds FROM zone_offsets WHERE from_at <= g.starts_at ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS starts_local,
  datetime(g.ends_at   + (SELECT seconds FROM zone_offsets WHERE from_at <= g.ends_at   ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS ends_local
FROM cells g
JOIN courts c ON c.active = 1
JOIN now_instant n
ORDER BY g.starts_at, c.position, c.id;

-- The shelf: what the ledger says, what ended and unsettled claims still owe it,
-- and what can be sold at this instant.
CREATE VIEW stock_now AS
WITH shelf AS (
  SELECT g.id, g.name, g.active,
    coalesce((SELECT balance FROM stock_moves m WHERE m.good_id = g.id ORDER BY m.id DESC LIMIT 1), 0) AS balance,
    coalesce((SELECT sum(l.qty) FROM baskets b CROSS JOIN basket_lines l ON l.basket_id = b.id
              WHERE l.good_id = g.id AND b.settled_at IS NULL AND b.release_at <= n.t
                AND b.ending IN ('lapsed', 'cancelled', 'no_show')), 0) AS owed
  FROM goods g JOIN now_instant n
)
SELECT id, name, balance, owed, balance + owed AS available, active FROM shelf;

-- What time has decided and nobody has written down yet.
CREATE VIEW reconciler_now AS
WITH due AS (
  SELECT release_at FROM reservations, now_instant WHERE settled_at IS NULL AND release_at <= t
  UNION ALL
  SELECT release_at FROM baskets, now_instant WHERE settled_at IS NULL AND release_at <= t
), facts AS (
  SELECT (SELECT count(*) FROM due) AS due, (SELECT min(release_at) FROM due) AS oldest_release_at,
    (SELECT count(*) FROM parked_effects) AS parked,
    (SELECT count(*) FROM notices WHERE sent_at IS NULL AND dropped_at IS NULL AND gave_up_at IS NULL) AS outbox,
    (SELECT count(*) FROM refunds WHERE done_at IS NULL) AS refunds_under_way,
    (SELECT max(ended_at) FROM reconciler_runs WHERE ok = 1) AS last_good_run
)
SELECT 'reconciler' AS id,
  CASE WHEN f.parked > 0 THEN 'parked' WHEN f.due > 0 THEN 'due' ELSE 'idle' END AS state,
  f.due, f.oldest_release_at, coalesce(n.t - f.oldest_release_at, 0) AS lag_seconds,
  f.parked, f.outbox, f.refunds_under_way, f.last_good_run,
  datetime(f.last_good_run + (SELECT seconds FROM zone_offsets WHERE from_at <= f.last_good_run ORDER BY from_at DESC LIMIT 1), 'unixepoch') AS last_good_run_local
FROM facts f JOIN now_instant n;

-- Guards. A text that begins with "reason:" reaches the client as a refusal.

CREATE TRIGGER reservations_no_overlap BEFORE INSERT ON reservations
WHEN NEW.settled_at IS NULL AND EXISTS (
  SELECT 1 FROM reservations r WHERE r.settled_at IS NULL AND r.court_id = NEW.court_id
    AND r.starts_at < NEW.ends_at AND NEW.starts_at < r.ends_at)
BEGIN SELECT RAISE(ABORT, 'reason:slot_taken'); END;

CREATE TRIGGER reservations_not_closed BEFORE INSERT ON reservations
WHEN NEW.settled_at IS NULL AND EXISTS (
  SELECT 1 FROM closures k JOIN closure_courts kc ON kc.closure_id = k.id
  WHERE kc.court_id = NEW.court_id AND k.lifted_at IS NULL
    AND k.from_at < NEW.ends_at AND NEW.starts_at < k.to_at)
BEGIN SELECT RAISE(ABORT, 'reason:slot_closed'); END;

-- A claim goes to another customer only with everything else that its customer had.
CREATE TRIGGER reservations_promises BEFORE UPDATE ON reservations
WHEN OLD.id IS NOT NEW.id OR OLD.order_id IS NOT NEW.order_id OR (OLD.customer_id IS NOT NEW.customer_id
    AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = OLD.customer_id AND c.merged_into = NEW.customer_id))
  OR OLD.court_id IS NOT NEW.court_id OR OLD.day IS NOT NEW.day OR OLD.booked_at IS NOT NEW.booked_at
  OR OLD.pay_by IS NOT NEW.pay_by OR OLD.check_in_from IS NOT NEW.check_in_from
  OR OLD.check_in_by IS NOT NEW.check_in_by OR OLD.starts_at IS NOT NEW.starts_at
  OR OLD.ends_at IS NOT NEW.ends_at OR OLD.price_fen IS NOT NEW.price_fen
  OR OLD.discount_fen IS NOT NEW.discount_fen OR OLD.replaces IS NOT NEW.replaces
BEGIN SELECT RAISE(ABORT, 'a promise on a reservation cannot change'); END;

-- A fact is set once, and only while the row is still live: dead rows stay dead.
CREATE TRIGGER reservations_facts BEFORE UPDATE ON reservations
WHEN (OLD.paid_at IS NOT NULL AND OLD.paid_at IS NOT NEW.paid_at)
  OR (OLD.checked_in_at IS NOT NULL AND OLD.checked_in_at IS NOT NEW.checked_in_at)
  OR (OLD.cancelled_at IS NOT NULL AND (OLD.cancelled_at IS NOT NEW.cancelled_at OR OLD.moved <> NEW.moved))
  OR (OLD.settled_at IS NOT NULL AND OLD.settled_at IS NOT NEW.settled_at)
  OR (OLD.paid_at IS NULL AND NEW.paid_at >= OLD.release_at)
  OR (OLD.checked_in_at IS NULL AND NEW.checked_in_at >= OLD.release_at)
  OR (OLD.cancelled_at IS NULL AND NEW.cancelled_at >= OLD.release_at)
BEGIN SELECT RAISE(ABORT, 'a fact is set once and only before release_at'); END;

CREATE TRIGGER reservations_kept BEFORE DELETE ON reservations
BEGIN SELECT RAISE(ABORT, 'reservations are never deleted'); END;

CREATE TRIGGER baskets_promises BEFORE UPDATE ON baskets
WHEN OLD.id IS NOT NEW.id OR OLD.order_id IS NOT NEW.order_id OR (OLD.customer_id IS NOT NEW.customer_id
    AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = OLD.customer_id AND c.merged_into = NEW.customer_id))
  OR OLD.coupon_code IS NOT NEW.coupon_code OR OLD.has_goods IS NOT NEW.has_goods
  OR OLD.discount_fen IS NOT NEW.discount_fen OR OLD.booked_at IS NOT NEW.booked_at
  OR OLD.pay_by IS NOT NEW.pay_by OR OLD.check_in_by IS NOT NEW.check_in_by OR OLD.replaces IS NOT NEW.replaces
BEGIN SELECT RAISE(ABORT, 'a promise on a basket cannot change'); END;

CREATE TRIGGER baskets_facts BEFORE UPDATE ON baskets
WHEN (OLD.paid_at IS NOT NULL AND OLD.paid_at IS NOT NEW.paid_at)
  OR (OLD.handed_over_at IS NOT NULL AND OLD.handed_over_at IS NOT NEW.handed_over_at)
  OR (OLD.cancelled_at IS NOT NULL AND (OLD.cancelled_at IS NOT NEW.cancelled_at OR OLD.moved <> NEW.moved))
  OR (OLD.settled_at IS NOT NULL AND OLD.settled_at IS NOT NEW.settled_at)
  OR (OLD.paid_at IS NULL AND NEW.paid_at >= OLD.release_at)
  OR (OLD.handed_over_at IS NULL AND NEW.handed_over_at >= OLD.release_at)
  OR (OLD.cancelled_at IS NULL AND NEW.cancelled_at >= OLD.release_at)
BEGIN SELECT RAISE(ABORT, 'a fact is set once and only before release_at'); END;

CREATE TRIGGER baskets_kept BEFORE DELETE ON baskets
BEGIN SELECT RAISE(ABORT, 'baskets are never deleted'); END;

CREATE TRIGGER orders_kept BEFORE DELETE ON orders
BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;

CREATE TRIGGER stock_moves_balance BEFORE INSERT ON stock_moves
WHEN NEW.balance <> NEW.qty + coalesce((SELECT balance FROM stock_moves WHERE good_id = NEW.good_id ORDER BY id DESC LIMIT 1), 0)
BEGIN SELECT RAISE(ABORT, 'a stock row must carry the balance after it'); END;

CREATE TRIGGER stock_moves_append_only BEFORE UPDATE ON stock_moves
BEGIN SELECT RAISE(ABORT, 'the stock ledger is append-only'); END;
CREATE TRIGGER stock_moves_kept BEFORE DELETE ON stock_moves
BEGIN SELECT RAISE(ABORT, 'the stock ledger is append-only'); END;

CREATE TRIGGER refunds_within_payment BEFORE INSERT ON refunds
WHEN NEW.amount_fen + coalesce((SELECT sum(amount_fen) FROM refunds WHERE payment_id = NEW.payment_id), 0)
     > (SELECT CASE WHEN succeeded_at IS NULL OR verdict IS 'flagged' THEN 0 ELSE amount_fen END FROM payments WHERE id = NEW.payment_id)
BEGIN SELECT RAISE(ABORT, 'reason:refund_exceeds_paid'); END;

CREATE TRIGGER refunds_facts BEFORE UPDATE ON refunds
WHEN OLD.amount_fen IS NOT NEW.amount_fen OR OLD.payment_id IS NOT NEW.payment_id
  OR (OLD.done_at IS NOT NULL AND OLD.done_at IS NOT NEW.done_at)
BEGIN SELECT RAISE(ABORT, 'a refund keeps its amount, its payment and its end'); END;

CREATE TRIGGER payments_facts BEFORE UPDATE ON payments
WHEN OLD.amount_fen IS NOT NEW.amount_fen OR OLD.order_id IS NOT NEW.order_id
  OR (OLD.succeeded_at IS NOT NULL AND OLD.succeeded_at IS NOT NEW.succeeded_at)
BEGIN SELECT RAISE(ABORT, 'a payment keeps its amount, its order and its success'); END;

CREATE TRIGGER closures_facts BEFORE UPDATE ON closures
WHEN OLD.from_at IS NOT NEW.from_at OR OLD.to_at IS NOT NEW.to_at OR OLD.made_at IS NOT NEW.made_at
  OR (OLD.lifted_at IS NOT NULL AND OLD.lifted_at IS NOT NEW.lifted_at)
BEGIN SELECT RAISE(ABORT, 'a closure is lifted, never edited'); END;

CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- Whoever was merged gets nothing new: a command that began before meets this, and may
-- be sent again.
CREATE TRIGGER orders_of_the_living BEFORE INSERT ON orders
WHEN EXISTS (SELECT 1 FROM customers c WHERE c.id = NEW.customer_id AND c.merged_into IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'reason:changed_meanwhile'); END;
CREATE TRIGGER sessions_of_the_living BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM customers c WHERE c.id = NEW.customer_id AND c.merged_into IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'reason:changed_meanwhile'); END;

-- A customer who was merged stays so, and is known by nothing any more.
CREATE TRIGGER customers_merged_for_good BEFORE UPDATE ON customers
WHEN (OLD.merged_into IS NOT NULL AND NEW.merged_into IS NULL) OR NEW.merged_into = NEW.id
  OR (NEW.merged_into IS NOT NULL AND (NEW.phone IS NOT NULL OR NEW.openid IS NOT NULL OR NEW.email IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'a merged customer stays merged and is known by nothing'); END;

-- What every answer about a day depends on counts its touches (day_touches): a
-- reservation touches the days it lies on, anything else every day. Writing down that a
-- reservation has ended touches none, because it changes no answer.
CREATE TRIGGER reservations_touch AFTER INSERT ON reservations BEGIN
  INSERT INTO day_touches SELECT NEW.starts_at / 86400, 1 WHERE true ON CONFLICT (utc_day) DO UPDATE SET times = times + 1;
  INSERT INTO day_touches SELECT (NEW.ends_at - 1) / 86400, 1 WHERE (NEW.ends_at - 1) / 86400 <> NEW.starts_at / 86400
    ON CONFLICT (utc_day) DO UPDATE SET times = times + 1;
END;
CREATE TRIGGER reservations_touch_again AFTER UPDATE OF paid_at, checked_in_at, cancelled_at ON reservations BEGIN
  INSERT INTO day_touches SELECT NEW.starts_at / 86400, 1 WHERE true ON CONFLICT (utc_day) DO UPDATE SET times = times + 1;
  INSERT INTO day_touches SELECT (NEW.ends_at - 1) / 86400, 1 WHERE (NEW.ends_at - 1) / 86400 <> NEW.starts_at / 86400
    ON CONFLICT (utc_day) DO UPDATE SET times = times + 1;
END;
CREATE TRIGGER baskets_touch AFTER INSERT ON baskets WHEN NEW.has_goods = 1
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER baskets_touch_again AFTER UPDATE ON baskets WHEN NEW.has_goods = 1
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER basket_lines_touch AFTER INSERT ON basket_lines
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER stock_moves_touch AFTER INSERT ON stock_moves
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER goods_touch AFTER INSERT ON goods
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER goods_touch_again AFTER UPDATE ON goods
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER venue_touch AFTER INSERT ON venue
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER venue_touch_again AFTER UPDATE ON venue
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER closures_touch AFTER INSERT ON closures
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER closures_touch_again AFTER UPDATE ON closures
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER closure_courts_touch AFTER INSERT ON closure_courts
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER goods_touch_gone AFTER DELETE ON goods
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER closures_touch_gone AFTER DELETE ON closures
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;
CREATE TRIGGER closure_courts_touch_gone AFTER DELETE ON closure_courts
BEGIN INSERT INTO day_touches VALUES (-1, 1) ON CONFLICT (utc_day) DO UPDATE SET times = times + 1; END;

-- What is kept of the venue is kept with its courts; and a change of it touches every day.
CREATE TRIGGER courts_touch AFTER INSERT ON courts
BEGIN UPDATE venue SET version = version + 1; END;
CREATE TRIGGER courts_touch_again AFTER UPDATE ON courts
BEGIN UPDATE venue SET version = version + 1; END;
CREATE TRIGGER courts_touch_gone AFTER DELETE ON courts
BEGIN UPDATE venue SET version = version + 1; END;
