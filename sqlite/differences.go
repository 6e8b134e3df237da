package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"courtd/domain"
)

// byWeChat says of a payment p that WeChat took it.
const byWeChat = "p." + viaOfWeChat

// viaOfWeChat is word for word what the indexes are made with, or they are not used.
const viaOfWeChat = "via GLOB '" + domain.ViaWeChat + "*'"

// chinaDay is the day of China at an instant. China has kept to one offset since 1991.
func chinaDay(instant string) string { return "date(" + instant + " + 28800, 'unixepoch')" }

// billOf says that the bill of a merchant's day has been imported.
func billOf(merchant, day string) string {
	return "EXISTS (SELECT 1 FROM bills b WHERE b.provider = 'wechat' AND b.merchant = " + merchant + " AND b.day = " + day + ")"
}

// around says that the bills of a day and of those before and after it are here.
func around(merchant, instant string) string {
	const aDay = 86400
	out := billOf(merchant, chinaDay(instant))
	for _, by := range []int{-aDay, aDay} {
		out += " AND " + billOf(merchant, chinaDay(fmt.Sprintf("%s + %d", instant, by)))
	}
	return out
}

// scope bounds every arm of the differences by itself, so that each looks only at its own
// rows through an index: lines of the bills c, payments p, and refunds f. Both says which
// of bills and lines is read first: nothing has told the planner how many there are.
type scope struct{ both, lines, refundLines, payments, flagged, refunds string }

// paidAt is when WeChat took the money of a payment p.
const paidAt = "coalesce(p.success_time, p.succeeded_at)"

var (
	// ofDays are those of the days from ?1 to ?2.
	ofDays = scope{
		both:  "counted c CROSS JOIN bill_lines l",
		lines: "c.day BETWEEN ?1 AND ?2", refundLines: "c.day BETWEEN ?1 AND ?2",
		payments: betweenDays(paidAt), flagged: betweenDays("coalesce(l.at, p.opened_at)"), refunds: betweenDays("f.done_at"),
	}
	// ofOne are those about the payment or the refund ?1.
	ofOne = scope{
		both:  "bill_lines l CROSS JOIN counted c",
		lines: "l.out_trade_no = ?1", refundLines: "l.out_refund_no IN (?1, '') AND ?1 IN (l.out_refund_no, l.out_trade_no)",
		payments: "p.id = ?1", flagged: "p.id = ?1", refunds: "f.id = ?1",
	}
)

// betweenDays says that an instant is within the days of China from ?1 to ?2.
func betweenDays(instant string) string {
	return instant + " >= unixepoch(?1) - 28800 AND " + instant + " < unixepoch(?2) + 57600"
}

// The first and the last day that there can be.
const (
	firstDay = "0001-01-01"
	lastDay  = "9999-12-30"
)

// differences derives what does not add up, as a table of that name: nothing about it is
// stored but what people have said. Of each day of a merchant the newest bill counts.
//
// A refund stands in the bill of the day on which WeChat took it on, as it was then: one
// that is still under way there may be done here, and one that is done there and not here
// is asked about until it is. What the desk handed back itself, because WeChat had given
// up, is in no bill.
func differences(in scope) string {
	return `WITH RECURSIVE counted AS MATERIALIZED (SELECT id, merchant, day FROM (
		SELECT id, merchant, day, row_number() OVER (PARTITION BY merchant, day ORDER BY imported_at DESC, rowid DESC) AS n
		FROM bills WHERE provider = 'wechat') WHERE n = 1),
	found AS (
		SELECT 'payment' AS kind, l.out_trade_no AS no, CASE WHEN p.succeeded_at IS NULL THEN 'there_not_here' ELSE 'amount' END AS code,
			c.merchant AS merchant, c.day AS day, l.at AS at, l.out_trade_no AS payment_id, l.transaction_id AS transaction_id,
			l.amount_fen AS there_fen, p.amount_fen AS here_fen
		FROM ` + in.both + ` ON l.bill_id = c.id AND l.kind = 'payment'
			LEFT JOIN payments p ON p.id = l.out_trade_no AND ` + byWeChat + `
		WHERE ` + in.lines + ` AND ((p.succeeded_at IS NULL AND p.verdict IS NOT 'flagged') OR (p.succeeded_at IS NOT NULL AND p.amount_fen <> l.amount_fen))
	UNION ALL
		SELECT 'payment', p.id, 'here_not_there', p.merchant, ` + chinaDay(paidAt) + `,
			` + paidAt + `, p.id, coalesce(p.transaction_id, ''), NULL, p.amount_fen
		FROM payments p WHERE p.succeeded_at IS NOT NULL AND ` + byWeChat + ` AND ` + in.payments + `
			AND ` + billOf("p.merchant", chinaDay(paidAt)) + `
			AND NOT EXISTS (SELECT 1 FROM bill_lines l
				WHERE l.out_trade_no = p.id AND l.kind = 'payment' AND +l.bill_id IN (SELECT id FROM counted))
	UNION ALL
		SELECT 'payment', p.id, 'flagged', p.merchant, ` + chinaDay("coalesce(l.at, p.opened_at)") + `, coalesce(l.at, p.opened_at), p.id,
			coalesce(l.transaction_id, ''), l.amount_fen, p.amount_fen
		FROM payments p INDEXED BY payments_flagged LEFT JOIN bill_lines l ON l.out_trade_no = p.id AND l.kind = 'payment' AND +l.bill_id IN (SELECT id FROM counted)
		WHERE p.verdict = 'flagged' AND ` + byWeChat + ` AND ` + in.flagged + `
	UNION ALL
		SELECT 'refund', coalesce(nullif(l.out_refund_no, ''), l.out_trade_no), CASE WHEN f.amount_fen <> l.amount_fen THEN 'refund_amount' ELSE 'refund_there_not_here' END,
			c.merchant, c.day, l.at, l.out_trade_no, l.transaction_id, l.amount_fen, f.amount_fen
		FROM ` + in.both + ` ON l.bill_id = c.id AND l.kind = 'refund'
			LEFT JOIN refunds f ON f.id = l.out_refund_no
		WHERE ` + in.refundLines + ` AND l.state <> 'FAIL' AND (f.id IS NULL OR f.amount_fen <> l.amount_fen OR (f.done_at IS NULL AND l.state = 'SUCCESS'))
	UNION ALL
		SELECT 'refund', f.id, 'refund_here_not_there', p.merchant, ` + chinaDay("f.done_at") + `, f.done_at, f.payment_id, coalesce(p.transaction_id, ''), NULL, f.amount_fen
		FROM refunds f JOIN payments p ON p.id = f.payment_id
		WHERE f.done_at IS NOT NULL AND f.abnormal_at IS NULL AND ` + byWeChat + ` AND ` + in.refunds + `
			AND ` + around("p.merchant", "f.done_at") + ` AND ` + around("p.merchant", "f.sent_at") + `
			AND NOT EXISTS (SELECT 1 FROM bill_lines l
				WHERE l.out_trade_no = f.payment_id AND l.out_refund_no = f.id AND l.kind = 'refund' AND +l.bill_id IN (SELECT id FROM counted))),
	differences AS MATERIALIZED (SELECT x.kind || ':' || x.no || ':' || x.code AS key, x.*, e.text AS text, e.by AS by, e.at AS explained_at
		FROM found x LEFT JOIN explanations e ON e.about = x.kind || ':' || x.no || ':' || x.code
		GROUP BY x.kind, x.no, x.code, x.day)`
}

// Difference is one payment or refund on which a bill and our rows do not agree, or that
// is flagged here. Key is its name for as long as it exists.
type Difference struct {
	Key, Kind, No, Code string
	Merchant, Day       string
	At                  domain.Instant
	PaymentID           string // as the bill or our row says; there may be no such row
	TransactionID       string
	ThereFen, HereFen   sql.Null[int64]
	OrderID, Number     string // empty when there is no such payment
	Via                 string
	Reason              string // why it was flagged
	WillAsk             bool   // a question to WeChat about it is due
	Text, By, ByName    string // what somebody has said about it
	ExplainedAt         domain.Instant
}

// DifferenceSearch narrows the differences down; what is empty narrows nothing.
type DifferenceSearch struct {
	State           string // open or explained
	Day, Code, Key  string
	From, Until     string // days; both are within
	AfterDay, After string // the day and key of the last one that was given
}

// Differences gives what does not add up, the newest day first.
func (s *Snapshot) Differences(find DifferenceSearch, limit int) ([]Difference, error) {
	in, one, until := ofDays, firstDay, lastDay
	switch {
	case find.Key != "":
		_, rest, _ := strings.Cut(find.Key, ":")
		no := rest[:max(0, strings.LastIndexByte(rest, ':'))]
		in, one = ofOne, no
	case find.Day != "":
		one, until = find.Day, find.Day
	default:
		if find.From != "" {
			one = find.From
		}
		if find.Until != "" {
			until = find.Until
		}
		if find.AfterDay != "" {
			until = min(until, find.AfterDay)
		}
	}
	rows, err := s.Query(differences(in)+` SELECT d.key, d.kind, d.no, d.code, d.merchant, d.day, d.at, d.payment_id, d.transaction_id, d.there_fen, d.here_fen,
		coalesce(o.id, ''), coalesce(o.number, ''), coalesce(p.via, ''), coalesce(p.verdict_reason, ''),
		d.code = 'there_not_here' AND p.id IS NOT NULL AND (coalesce(p.look_again_at <= ?10, 0) OR (p.closed_at IS NULL AND p.verdict IS NULL AND coalesce(p.next_ask_at, 0) <= ?10)),
		coalesce(d.text, ''), coalesce(d.by, ''), coalesce(m.name, ''), d.explained_at
		FROM differences d LEFT JOIN payments p ON p.id = d.payment_id AND `+byWeChat+` LEFT JOIN orders o ON o.id = p.order_id
			LEFT JOIN staff m ON m.id = d.by
		WHERE (?3 = '' OR (?3 = 'explained') = (d.text IS NOT NULL)) AND (?4 = '' OR d.day = ?4) AND (?5 = '' OR d.code = ?5) AND (?6 = '' OR d.key = ?6)
			AND (?7 = '' OR d.day < ?7 OR (d.day = ?7 AND d.key > ?8))
		ORDER BY d.day DESC, d.key LIMIT ?9`, one, until, find.State, find.Day, find.Code, find.Key, find.AfterDay, find.After, limit, s.Now)
	if err != nil {
		return nil, fmt.Errorf("read differences: %w", err)
	}
	defer rows.Close()
	var out []Difference
	for rows.Next() {
		var d Difference
		if err := rows.Scan(&d.Key, &d.Kind, &d.No, &d.Code, &d.Merchant, &d.Day, &d.At, &d.PaymentID, &d.TransactionID, &d.ThereFen, &d.HereFen,
			&d.OrderID, &d.Number, &d.Via, &d.Reason, &d.WillAsk, &d.Text, &d.By, &d.ByName, &d.ExplainedAt); err != nil {
			return nil, fmt.Errorf("scan difference: %w", err)
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// Explanation gives what has been said about a difference, and whether anything has.
func (s *Snapshot) Explanation(key string) (text string, found bool, err error) {
	err = s.QueryRow("SELECT text FROM explanations WHERE about = ?", key).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read explanation: %w", err)
	}
	return text, true, nil
}

// Explain keeps what somebody says about a difference, instead of what was said before.
func (t *Tx) Explain(key, text, staffID string) error {
	_, err := t.Exec(`INSERT INTO explanations (about, text, by, at) VALUES (?,?,?,?)
		ON CONFLICT (about) DO UPDATE SET text = excluded.text, by = excluded.by, at = excluded.at`, key, text, staffID, t.Now)
	if err != nil {
		return fmt.Errorf("explain a difference: %w", err)
	}
	return nil
}
