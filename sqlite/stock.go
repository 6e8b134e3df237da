package sqlite

import (
	"fmt"

	"courtd/domain"
)

// Good is something the venue sells besides its courts.
type Good struct {
	ID       string
	Name     string
	PriceFen int64
	Position int
	Active   bool
	// Balance is what the ledger says; Owed is what ended, unsettled claims will
	// put back. What can be sold now is their sum.
	Balance, Owed int
}

// Available is how many pieces can be sold at the instant the good was read.
func (g Good) Available() int { return g.Balance + g.Owed }

// CROSS JOIN makes SQLite start from the few baskets that are due, not from all
// that ever held the good.
const goodColumns = `SELECT g.id, g.name, g.price_fen, g.position, g.active,
 coalesce((SELECT balance FROM stock_moves m WHERE m.good_id = g.id ORDER BY m.id DESC LIMIT 1), 0),
 coalesce((SELECT sum(l.qty) FROM baskets b CROSS JOIN basket_lines l ON l.basket_id = b.id
   WHERE l.good_id = g.id AND b.settled_at IS NULL AND b.release_at <= ?
   AND b.ending IN ('lapsed', 'cancelled', 'no_show')), 0)
 FROM goods g `

// Goods gives all goods with what can be sold now, in the order the owner set.
func (s *Snapshot) Goods() ([]Good, error) {
	return s.goods("ORDER BY g.position, g.id")
}

// Good gives one good, or a NotFound refusal.
func (s *Snapshot) Good(id string) (Good, error) {
	found, err := s.goods("WHERE g.id = ?", id)
	if err != nil {
		return Good{}, err
	}
	if len(found) == 0 {
		return Good{}, domain.Refuse(domain.NotFound, "not_found", "no such good")
	}
	return found[0], nil
}

func (s *Snapshot) goods(where string, args ...any) ([]Good, error) {
	rows, err := s.Query(goodColumns+where, append([]any{int64(s.Now)}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read goods: %w", err)
	}
	defer rows.Close()
	var out []Good
	for rows.Next() {
		var g Good
		if err := rows.Scan(&g.ID, &g.Name, &g.PriceFen, &g.Position, &g.Active, &g.Balance, &g.Owed); err != nil {
			return nil, fmt.Errorf("scan good: %w", err)
		}
		out = append(out, g)
	}
	return out, rows.Err()
}

// Pieces is where the pieces of a good are that are not for sale any more.
type Pieces struct {
	Kept int // on the shelf, for orders that are live and have not collected them
	Sold int // handed over
}

// Pieces gives that of every good, by id.
func (s *Snapshot) Pieces() (map[string]Pieces, error) {
	rows, err := s.Query(`SELECT l.good_id,
		coalesce(sum(l.qty) FILTER (WHERE b.handed_over_at IS NULL AND b.settled_at IS NULL AND b.booked_at <= ?1 AND b.release_at > ?1), 0),
		coalesce(sum(l.qty) FILTER (WHERE b.handed_over_at IS NOT NULL), 0)
		FROM basket_lines l JOIN baskets b ON b.id = l.basket_id GROUP BY l.good_id`, int64(s.Now))
	if err != nil {
		return nil, fmt.Errorf("read pieces: %w", err)
	}
	defer rows.Close()
	out := map[string]Pieces{}
	for rows.Next() {
		var id string
		var p Pieces
		if err := rows.Scan(&id, &p.Kept, &p.Sold); err != nil {
			return nil, fmt.Errorf("scan pieces: %w", err)
		}
		out[id] = p
	}
	return out, rows.Err()
}

// NextGoodsDeadline is the earliest instant after now at which a claim on goods
// may end by time alone, or zero.
func (s *Snapshot) NextGoodsDeadline() (domain.Instant, error) {
	var next domain.Instant
	err := s.QueryRow("SELECT min(release_at) FROM baskets WHERE settled_at IS NULL AND has_goods = 1 AND release_at > ? AND release_at < ?",
		int64(s.Now), int64(domain.Never)).Scan(&next)
	if err != nil {
		return 0, fmt.Errorf("next goods deadline: %w", err)
	}
	return next, nil
}

// PutGood adds a good or changes its name, price, place and whether it is sold.
func (t *Tx) PutGood(g Good) error {
	_, err := t.Exec(`INSERT INTO goods (id, name, price_fen, position, active) VALUES (?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, price_fen = excluded.price_fen,
		position = excluded.position, active = excluded.active`, g.ID, g.Name, g.PriceFen, g.Position, g.Active)
	if err != nil {
		return fmt.Errorf("put good: %w", err)
	}
	return nil
}

// StockMove is one row of the stock ledger before it is written; the balance
// after it is worked out when it is written.
type StockMove struct {
	GoodID   string
	Kind     string // receipt, sold, restock or adjust
	Qty      int    // signed: what it adds to the shelf
	BasketID string // for sold and restock
	StaffID  string
	Note     string
}

// MoveStock appends a row to the ledger and returns the balance after it. A
// balance below zero is refused as out_of_stock.
func (t *Tx) MoveStock(m StockMove) (int, error) {
	var balance int
	err := t.QueryRow("SELECT coalesce((SELECT balance FROM stock_moves WHERE good_id = ? ORDER BY id DESC LIMIT 1), 0)", m.GoodID).Scan(&balance)
	if err != nil {
		return 0, fmt.Errorf("stock balance: %w", err)
	}
	balance += m.Qty
	if balance < 0 {
		return 0, domain.Refuse(domain.Conflict, "out_of_stock", "only %d left", balance-m.Qty).With("good", m.GoodID)
	}
	if _, err := t.Exec("INSERT INTO stock_moves (good_id, kind, qty, balance, basket_id, at, staff_id, note) VALUES (?,?,?,?,?,?,?,?)",
		m.GoodID, m.Kind, m.Qty, balance, orNull(m.BasketID), t.Now, orNull(m.StaffID), m.Note); err != nil {
		return 0, fmt.Errorf("stock ledger: %w", err)
	}
	return balance, nil
}

// LedgerRow is one written row of the stock ledger.
type LedgerRow struct {
	ID int64
	StockMove
	Balance              int
	At                   domain.Instant
	StaffName            string // of who posted it
	OrderID, OrderNumber string // of sold and restock
}

// Ledger gives the newest rows of a good's ledger that come before a row; 0 starts
// at the newest.
func (s *Snapshot) Ledger(goodID string, before int64, limit int) ([]LedgerRow, error) {
	if before == 0 {
		before = 1 << 62
	}
	rows, err := s.Query(`SELECT m.id, m.good_id, m.kind, m.qty, m.balance, coalesce(m.basket_id, ''), m.at, coalesce(m.staff_id, ''), m.note,
		coalesce(w.name, ''), coalesce(o.id, ''), coalesce(o.number, '')
		FROM stock_moves m LEFT JOIN staff w ON w.id = m.staff_id
		LEFT JOIN baskets b ON b.id = m.basket_id LEFT JOIN orders o ON o.id = b.order_id
		WHERE m.good_id = ? AND m.id < ? ORDER BY m.id DESC LIMIT ?`, goodID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	defer rows.Close()
	var out []LedgerRow
	for rows.Next() {
		var r LedgerRow
		if err := rows.Scan(&r.ID, &r.GoodID, &r.Kind, &r.Qty, &r.Balance, &r.BasketID, &r.At, &r.StaffID, &r.Note,
			&r.StaffName, &r.OrderID, &r.OrderNumber); err != nil {
			return nil, fmt.Errorf("scan ledger: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}
