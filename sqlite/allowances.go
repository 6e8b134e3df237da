package sqlite

import "fmt"

// AllowMessage records that somebody has allowed one more message of a template at
// WeChat, up to a most.
func (t *Tx) AllowMessage(openID, templateID string, most int) error {
	_, err := t.Exec(`INSERT INTO allowances (openid, template_id, left_over) VALUES (?1, ?2, 1)
		ON CONFLICT (openid, template_id) DO UPDATE SET left_over = min(left_over + 1, ?3)`, openID, templateID, most)
	if err != nil {
		return fmt.Errorf("allow message: %w", err)
	}
	return nil
}

// SpendAllowance takes one allowance away, and reports whether there was one.
func (t *Tx) SpendAllowance(openID, templateID string) (bool, error) {
	n, err := t.Affected("UPDATE allowances SET left_over = left_over - 1 WHERE openid = ? AND template_id = ? AND left_over > 0", openID, templateID)
	if err != nil {
		return false, fmt.Errorf("spend allowance: %w", err)
	}
	return n == 1, nil
}

// NoAllowance records that WeChat knows of none that is left.
func (t *Tx) NoAllowance(openID, templateID string) error {
	_, err := t.Exec("UPDATE allowances SET left_over = 0 WHERE openid = ? AND template_id = ?", openID, templateID)
	if err != nil {
		return fmt.Errorf("no allowance: %w", err)
	}
	return nil
}

// Allowances gives how many messages of each template somebody has allowed.
func (s *Snapshot) Allowances(openID string) (map[string]int, error) {
	rows, err := s.Query("SELECT template_id, left_over FROM allowances WHERE openid = ?", openID)
	if err != nil {
		return nil, fmt.Errorf("read allowances: %w", err)
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var template string
		var n int
		if err := rows.Scan(&template, &n); err != nil {
			return nil, fmt.Errorf("scan allowance: %w", err)
		}
		out[template] = n
	}
	return out, rows.Err()
}
