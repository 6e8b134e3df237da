package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"courtd/domain"
)

// Bill is a provider's account of one day, as it was imported.
type Bill struct {
	ID, Provider, Merchant, Day string
	ImportedAt                  domain.Instant
	ImportedBy                  string
	Digest                      string
}

// BillLine is one payment or refund of a bill.
type BillLine struct {
	Line          int            `json:"line"`
	Kind          string         `json:"kind"`
	OutTradeNo    string         `json:"out_trade_no"`
	OutRefundNo   string         `json:"out_refund_no"`
	TransactionID string         `json:"transaction_id"`
	AmountFen     int64          `json:"amount_fen"`
	At            domain.Instant `json:"at"`
	State         string         `json:"state"`
}

// InsertBill keeps a bill with all of its lines.
func (t *Tx) InsertBill(b Bill, lines []BillLine) error {
	_, err := t.Exec("INSERT INTO bills (id, provider, merchant, day, imported_at, imported_by, digest) VALUES (?,?,?,?,?,?,?)",
		b.ID, b.Provider, b.Merchant, b.Day, t.Now, orNull(b.ImportedBy), b.Digest)
	if err != nil {
		return fmt.Errorf("insert bill: %w", err)
	}
	text, err := json.Marshal(lines)
	if err != nil {
		return fmt.Errorf("lines of a bill: %w", err)
	}
	_, err = t.Exec(`INSERT INTO bill_lines (bill_id, line, kind, out_trade_no, out_refund_no, transaction_id, amount_fen, at, state)
		SELECT ?1, value ->> 'line', value ->> 'kind', value ->> 'out_trade_no', value ->> 'out_refund_no', value ->> 'transaction_id',
		value ->> 'amount_fen', value ->> 'at', value ->> 'state' FROM json_each(?2)`, b.ID, string(text))
	if err != nil {
		return fmt.Errorf("insert lines of a bill: %w", err)
	}
	return nil
}

// BillWith finds the import of exactly this file.
func (s *Snapshot) BillWith(provider, merchant, day, digest string) (b Bill, found bool, err error) {
	b = Bill{Provider: provider, Merchant: merchant, Day: day, Digest: digest}
	err = s.QueryRow(`SELECT id, imported_at, coalesce(imported_by, '') FROM bills WHERE provider = ? AND merchant = ? AND day = ? AND digest = ?`,
		provider, merchant, day, digest).Scan(&b.ID, &b.ImportedAt, &b.ImportedBy)
	if errors.Is(err, sql.ErrNoRows) {
		return Bill{}, false, nil
	}
	if err != nil {
		return Bill{}, false, fmt.Errorf("read bill: %w", err)
	}
	return b, true, nil
}

// WeChatMerchants gives the merchants that payments by WeChat were opened for.
func (s *Snapshot) WeChatMerchants() ([]string, error) {
	// It goes from each to the next one in the index: there are few, with many payments.
	const next = "(SELECT min(p.merchant) FROM payments p WHERE " + byWeChat + " AND p.merchant > "
	rows, err := s.Query("WITH RECURSIVE ours (m) AS (SELECT " + next + "'') UNION ALL SELECT " + next + "ours.m) FROM ours WHERE ours.m IS NOT NULL)" +
		" SELECT m FROM ours WHERE m IS NOT NULL ORDER BY m")
	if err != nil {
		return nil, fmt.Errorf("read merchants: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var m string
		if err := rows.Scan(&m); err != nil {
			return nil, fmt.Errorf("scan merchant: %w", err)
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// PaidThereOnly gives the attempts that a bill calls paid and that have not succeeded
// here. Money that was flagged has come to be known here.
func (s *Snapshot) PaidThereOnly(billID string) ([]string, error) {
	rows, err := s.Query(`SELECT DISTINCT p.id FROM bill_lines l JOIN payments p ON p.id = l.out_trade_no
		WHERE l.bill_id = ? AND l.kind = 'payment' AND `+byWeChat+` AND p.succeeded_at IS NULL AND p.verdict IS NULL ORDER BY p.id`, billID)
	if err != nil {
		return nil, fmt.Errorf("read what was paid there: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("scan what was paid there: %w", err)
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// BillDay is a day of China on which WeChat took or gave back money, by its bill or by
// our rows.
type BillDay struct {
	Merchant, Day string
	Bill          *Bill  // the one that counts; nil when there is none
	ImportedBy    string // name of whoever imported it
	Payments      int    // lines of the bill
	PaymentsFen   int64
	Refunds       int
	RefundsFen    int64
	Here          int // payments that succeeded here on that day
	HereFen       int64
	Open          int // differences that nobody has explained
	Explained     int
}

// daysBefore gives the days with a bill or with payments by WeChat, the newest before a
// given one first. It goes from each to the next one in the indexes.
func (s *Snapshot) daysBefore(before string, limit int) (first, last string, err error) {
	earlier := func(day string) string {
		return `max(coalesce((SELECT ` + chinaDay(paidAt) + ` FROM payments p WHERE p.succeeded_at IS NOT NULL AND ` + byWeChat + `
				AND ` + paidAt + ` < unixepoch(` + day + `) - 28800 ORDER BY ` + paidAt + ` DESC LIMIT 1), ''),
			coalesce((SELECT max(b.day) FROM bills b WHERE b.provider = 'wechat' AND b.day < ` + day + `), ''))`
	}
	err = s.QueryRow(`WITH RECURSIVE days (day) AS (SELECT `+earlier("?1")+` UNION ALL SELECT `+earlier("days.day")+` FROM days WHERE days.day <> '' LIMIT ?2)
		SELECT coalesce(min(day), ''), coalesce(max(day), '') FROM days WHERE day <> ''`, before, limit).Scan(&first, &last)
	if err != nil {
		return "", "", fmt.Errorf("read which days have bills: %w", err)
	}
	return first, last, nil
}

// BillDays gives so many such days from the newest on, before a given one; a day stands
// there once for each merchant.
func (s *Snapshot) BillDays(before string, limit int) ([]BillDay, error) {
	if before == "" {
		before = lastDay
	}
	first, last, err := s.daysBefore(before, limit)
	if err != nil || first == "" {
		return nil, err
	}
	rows, err := s.Query(differences(ofDays)+`, here AS (
		SELECT p.merchant, `+chinaDay(paidAt)+` AS day, count(*) AS n, sum(p.amount_fen) AS fen
		FROM payments p WHERE p.succeeded_at IS NOT NULL AND `+byWeChat+` AND `+betweenDays(paidAt)+` GROUP BY 1, 2),
	all_days AS (SELECT merchant, day FROM here UNION SELECT merchant, day FROM counted WHERE day BETWEEN ?1 AND ?2)
	SELECT a.merchant, a.day, coalesce(b.id, ''), b.imported_at, coalesce(b.imported_by, ''), coalesce(b.digest, ''), coalesce(m.name, ''),
		(SELECT count(*) FROM bill_lines l WHERE l.bill_id = b.id AND l.kind = 'payment'),
		(SELECT coalesce(sum(l.amount_fen), 0) FROM bill_lines l WHERE l.bill_id = b.id AND l.kind = 'payment'),
		(SELECT count(*) FROM bill_lines l WHERE l.bill_id = b.id AND l.kind = 'refund'),
		(SELECT coalesce(sum(l.amount_fen), 0) FROM bill_lines l WHERE l.bill_id = b.id AND l.kind = 'refund'),
		coalesce(h.n, 0), coalesce(h.fen, 0),
		(SELECT count(*) FROM differences d WHERE d.merchant = a.merchant AND d.day = a.day AND d.text IS NULL),
		(SELECT count(*) FROM differences d WHERE d.merchant = a.merchant AND d.day = a.day AND d.text IS NOT NULL)
	FROM all_days a LEFT JOIN counted c ON c.merchant = a.merchant AND c.day = a.day LEFT JOIN bills b ON b.id = c.id
		LEFT JOIN staff m ON m.id = b.imported_by LEFT JOIN here h ON h.merchant = a.merchant AND h.day = a.day
	ORDER BY a.day DESC, a.merchant`, first, last)
	if err != nil {
		return nil, fmt.Errorf("read days of bills: %w", err)
	}
	defer rows.Close()
	var out []BillDay
	for rows.Next() {
		var d BillDay
		var b Bill
		if err := rows.Scan(&d.Merchant, &d.Day, &b.ID, &b.ImportedAt, &b.ImportedBy, &b.Digest, &d.ImportedBy, &d.Payments, &d.PaymentsFen,
			&d.Refunds, &d.RefundsFen, &d.Here, &d.HereFen, &d.Open, &d.Explained); err != nil {
			return nil, fmt.Errorf("scan day of a bill: %w", err)
		}
		if b.ID != "" {
			b.Provider, b.Merchant, b.Day = "wechat", d.Merchant, d.Day
			d.Bill = &b
		}
		out = append(out, d)
	}
	return out, rows.Err()
}

// CountedBill is the id of the bill that counts for a merchant's day; empty without one.
func (s *Snapshot) CountedBill(provider, merchant, day string) (id string, err error) {
	err = s.QueryRow(`SELECT id FROM bills WHERE provider = ? AND merchant = ? AND day = ? ORDER BY imported_at DESC, rowid DESC LIMIT 1`,
		provider, merchant, day).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the bill that counts: %w", err)
	}
	return id, nil
}
