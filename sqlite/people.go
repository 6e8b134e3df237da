package sqlite

import (
	"database/sql"
	"errors"
	"fmt"

	"courtd/domain"
)

// Customer is somebody who books.
type Customer struct {
	ID, Phone, Name string
	OpenID          string // at WeChat; shown to nobody
	Email           string // proven by a code
	MergedInto      string // the customer who took over all that this one had
	CreatedAt       domain.Instant
}

// Staff is somebody who works at the desk or owns the venue.
type Staff struct {
	ID, Username, Name string
	Role               string // desk or owner
	PasswordHash       string
	Active             bool
	CreatedAt          domain.Instant
}

// Session is a signed-in customer or staff member.
type Session struct {
	CustomerID, StaffID string
	Role                string // customer, desk or owner
	Name                string
	ExpiresAt           domain.Instant
}

// Customer gives one customer, or a NotFound refusal.
func (s *Snapshot) Customer(id string) (Customer, error) {
	return s.customer("id = ?", id)
}

// CustomerByPhone gives the customer with a phone, or a NotFound refusal.
func (s *Snapshot) CustomerByPhone(phone string) (Customer, error) {
	return s.customer("phone = ?", phone)
}

func (s *Snapshot) customer(where string, arg any) (Customer, error) {
	var c Customer
	err := s.QueryRow(`SELECT id, coalesce(phone, ''), name, coalesce(openid, ''), coalesce(email, ''), coalesce(merged_into, ''), created_at
		FROM customers WHERE `+where, arg).Scan(&c.ID, &c.Phone, &c.Name, &c.OpenID, &c.Email, &c.MergedInto, &c.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return c, domain.Refuse(domain.NotFound, "not_found", "no such customer")
	}
	if err != nil {
		return c, fmt.Errorf("read customer: %w", err)
	}
	return c, nil
}

// InsertCustomer adds a customer; an empty phone is allowed for somebody at the counter.
func (t *Tx) InsertCustomer(c Customer) error {
	_, err := t.Exec("INSERT INTO customers (id, phone, name, openid, created_at) VALUES (?,?,?,?,?)",
		c.ID, orNull(c.Phone), c.Name, orNull(c.OpenID), t.Now)
	if err != nil {
		return fmt.Errorf("insert customer: %w", err)
	}
	return nil
}

// NameCustomer sets a customer's name.
func (t *Tx) NameCustomer(id, name string) error {
	return t.one("name customer", "UPDATE customers SET name = ? WHERE id = ?", name, id)
}

// StaffByUsername gives one staff member and whether there is one.
func (s *Snapshot) StaffByUsername(username string) (Staff, bool, error) {
	all, err := s.staff("WHERE username = ?", username)
	if err != nil || len(all) == 0 {
		return Staff{}, false, err
	}
	return all[0], true, nil
}

// StaffMember gives one staff member, or a NotFound refusal.
func (s *Snapshot) StaffMember(id string) (Staff, error) {
	all, err := s.staff("WHERE id = ?", id)
	if err != nil {
		return Staff{}, err
	}
	if len(all) == 0 {
		return Staff{}, domain.Refuse(domain.NotFound, "not_found", "no such staff member")
	}
	return all[0], nil
}

// AllStaff gives everybody who works here.
func (s *Snapshot) AllStaff() ([]Staff, error) { return s.staff("ORDER BY username") }

func (s *Snapshot) staff(where string, args ...any) ([]Staff, error) {
	rows, err := s.Query("SELECT id, username, name, role, password_hash, active, created_at FROM staff "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read staff: %w", err)
	}
	defer rows.Close()
	var out []Staff
	for rows.Next() {
		var m Staff
		if err := rows.Scan(&m.ID, &m.Username, &m.Name, &m.Role, &m.PasswordHash, &m.Active, &m.CreatedAt); err != nil {
			return nil, fmt.Errorf("scan staff: %w", err)
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// PutStaff adds a staff member or changes name, role, password and whether they may sign in.
func (t *Tx) PutStaff(m Staff) error {
	_, err := t.Exec(`INSERT INTO staff (id, username, name, role, password_hash, active, created_at) VALUES (?,?,?,?,?,?,?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, role = excluded.role,
		password_hash = excluded.password_hash, active = excluded.active`,
		m.ID, m.Username, m.Name, m.Role, m.PasswordHash, m.Active, t.Now)
	if err != nil {
		return fmt.Errorf("put staff: %w", err)
	}
	return nil
}

// Session finds who a token belongs to, by its hash; false when it is unknown,
// revoked, expired or its owner may not sign in any more.
func (s *Snapshot) Session(tokenHash string) (Session, bool, error) {
	var out Session
	err := s.QueryRow(`SELECT coalesce(e.customer_id, ''), coalesce(e.staff_id, ''), coalesce(m.role, 'customer'),
		coalesce(m.name, c.name, ''), e.expires_at
		FROM sessions e LEFT JOIN staff m ON m.id = e.staff_id LEFT JOIN customers c ON c.id = e.customer_id
		WHERE e.token_hash = ? AND e.revoked_at IS NULL AND e.expires_at > ? AND coalesce(m.active, 1) = 1`,
		tokenHash, int64(s.Now)).Scan(&out.CustomerID, &out.StaffID, &out.Role, &out.Name, &out.ExpiresAt)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, false, nil
	}
	if err != nil {
		return Session{}, false, fmt.Errorf("read session: %w", err)
	}
	return out, true, nil
}

// InsertSession signs somebody in.
func (t *Tx) InsertSession(tokenHash, customerID, staffID string, expires domain.Instant) error {
	_, err := t.Exec("INSERT INTO sessions (token_hash, customer_id, staff_id, created_at, expires_at) VALUES (?,?,?,?,?)",
		tokenHash, orNull(customerID), orNull(staffID), t.Now, expires)
	if err != nil {
		return fmt.Errorf("insert session: %w", err)
	}
	return nil
}

// RevokeSession signs one session out.
func (t *Tx) RevokeSession(tokenHash string) error {
	_, err := t.Exec("UPDATE sessions SET revoked_at = ? WHERE token_hash = ? AND revoked_at IS NULL", t.Now, tokenHash)
	if err != nil {
		return fmt.Errorf("revoke session: %w", err)
	}
	return nil
}

// RevokeStaffSessions signs a staff member out everywhere.
func (t *Tx) RevokeStaffSessions(staffID string) error {
	_, err := t.Exec("UPDATE sessions SET revoked_at = ? WHERE staff_id = ? AND revoked_at IS NULL", t.Now, staffID)
	if err != nil {
		return fmt.Errorf("revoke staff sessions: %w", err)
	}
	return nil
}
