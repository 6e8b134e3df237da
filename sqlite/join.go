package sqlite

import (
	"errors"
	"fmt"

	"courtd/domain"
)

// CustomerByOpenID gives the customer with an openid, or a NotFound refusal.
func (s *Snapshot) CustomerByOpenID(openID string) (Customer, error) {
	return s.customer("openid = ?", openID)
}

// Survivor gives a customer, or whoever has taken over all that they had.
func (s *Snapshot) Survivor(id string) (Customer, error) {
	c, err := s.Customer(id)
	if err != nil || c.MergedInto == "" {
		return c, err
	}
	return s.Customer(c.MergedInto)
}

// MergedInto gives the ids of all customers whom one has taken over.
func (s *Snapshot) MergedInto(id string) ([]string, error) {
	rows, err := s.Query("SELECT id FROM customers WHERE merged_into = ? ORDER BY id", id)
	if err != nil {
		return nil, fmt.Errorf("read who was merged: %w", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("scan who was merged: %w", err)
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// PhoneCustomer sets the phone that a customer has proven.
func (t *Tx) PhoneCustomer(id, phone string) error {
	return t.one("set phone", "UPDATE customers SET phone = ? WHERE id = ? AND merged_into IS NULL", phone, id)
}

// OpenIDCustomer sets the openid that a customer has proven.
func (t *Tx) OpenIDCustomer(id, openID string) error {
	return t.one("set openid", "UPDATE customers SET openid = ? WHERE id = ? AND merged_into IS NULL", openID, id)
}

// MailCustomer sets the email address that a customer has proven; empty for none.
func (t *Tx) MailCustomer(id, email string) error {
	return t.one("set email", "UPDATE customers SET email = ? WHERE id = ? AND merged_into IS NULL", orNull(email), id)
}

// MergeCustomers gives all that one customer had to another: orders, bookings, notices
// and sessions, and what the other has none of: phone, openid, email, name. What is left
// of the first only says who took over. Whoever asks has seen that both are one person.
func (t *Tx) MergeCustomers(from, into Customer) error {
	if from.ID == into.ID || from.MergedInto != "" || into.MergedInto != "" {
		return errors.New("merge customers: a customer is merged once, into another who is not")
	}
	if (from.Phone != "" && into.Phone != "") || (from.OpenID != "" && into.OpenID != "") {
		return domain.Refuse(domain.Conflict, "two_accounts", "both customers have a phone or an openid of their own")
	}
	if err := t.one("end merged customer", `UPDATE customers SET merged_into = ?, phone = NULL, openid = NULL, email = NULL, name = ''
		WHERE id = ? AND merged_into IS NULL`, into.ID, from.ID); err != nil {
		return err
	}
	if err := t.one("fill in surviving customer", `UPDATE customers SET phone = coalesce(phone, ?), openid = coalesce(openid, ?), email = coalesce(email, ?),
		name = CASE name WHEN '' THEN ? ELSE name END WHERE id = ? AND merged_into IS NULL`,
		orNull(from.Phone), orNull(from.OpenID), orNull(from.Email), from.Name, into.ID); err != nil {
		return err
	}
	if _, err := t.Exec("UPDATE customers SET merged_into = ? WHERE merged_into = ?", into.ID, from.ID); err != nil {
		return fmt.Errorf("move those merged before: %w", err)
	}
	for _, table := range []string{"orders", "reservations", "baskets", "notices", "sessions"} {
		if _, err := t.Exec("UPDATE "+table+" SET customer_id = ? WHERE customer_id = ?", into.ID, from.ID); err != nil {
			return fmt.Errorf("move %s: %w", table, err)
		}
	}
	return nil
}
