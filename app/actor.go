package app

import (
	"courtd/domain"
	"courtd/sqlite"
)

// Role is what somebody may do.
type Role string

// The roles, from least to most. The owner may do all that the desk may.
const (
	Anyone       Role = "anyone"
	RoleCustomer Role = "customer"
	RoleDesk     Role = "desk"
	RoleOwner    Role = "owner"
	RoleSystem   Role = "system" // the program itself
)

// Actor is who asks. ID is a customer's or staff member's id; Session tells
// apart the sessions of one person and is a hash, never a token.
type Actor struct {
	Role    Role
	ID      string
	Name    string
	Session string
}

// IsStaff reports whether the actor works here.
func (a Actor) IsStaff() bool { return a.Role == RoleDesk || a.Role == RoleOwner }

// mayActOn hides somebody else's order behind the same answer as no order at all.
func (a Actor) mayActOn(o domain.Order) error {
	if a.IsStaff() || a.Role == RoleSystem || (a.Role == RoleCustomer && a.ID == o.CustomerID) {
		return nil
	}
	return domain.Refuse(domain.NotFound, "not_found", "no such order")
}

// mayActNow is mayActOn for an actor who may have been merged into another customer since
// their request began: then what was theirs is the other's, and they are the other.
func mayActNow(s *sqlite.Snapshot, actor Actor, o domain.Order) error {
	refusal := actor.mayActOn(o)
	if refusal == nil || actor.Role != RoleCustomer {
		return refusal
	}
	survivor, err := s.Survivor(actor.ID)
	if err != nil || survivor.ID != o.CustomerID {
		return refusal
	}
	return nil
}

// mustWorkHere refuses what only the desk and the owner may do. Whoever serves the
// call has asked before; this is the second lock on the same door.
func (a Actor) mustWorkHere() error {
	if a.IsStaff() || a.Role == RoleSystem {
		return nil
	}
	return domain.Refuse(domain.Forbidden, "forbidden", "this is for the people who work here")
}

// mustBeOwner is the same lock on what only the owner may do.
func (a Actor) mustBeOwner() error {
	if a.Role == RoleOwner || a.Role == RoleSystem {
		return nil
	}
	return domain.Refuse(domain.Forbidden, "forbidden", "this is for the owner")
}

func (a Actor) audit(action, target, reason string, detail map[string]any) sqlite.AuditRow {
	return sqlite.AuditRow{Actor: a.ID, Role: string(a.Role), Action: action, Target: target, Reason: reason, Detail: detail}
}
