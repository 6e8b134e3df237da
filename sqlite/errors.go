package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sqlite3 "github.com/mattn/go-sqlite3"

	"courtd/domain"
)

// reasonPrefix begins the text of a RAISE that is meant for the client.
const reasonPrefix = "reason:"

// oneClaimPerSlot is how SQLite reports the unique index that guards a slot.
const oneClaimPerSlot = "UNIQUE constraint failed: reservations.court_id, reservations.starts_at"

// PanicError is a panic inside a command, with the stack it happened on. It is
// a fault and never a refusal: the command was rolled back, nobody else's was.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

var (
	errOver     = errors.New("this transaction is over")
	errGone     = errors.New("the database has rolled the whole transaction back")
	errNoAnswer = errors.New("the command ended its goroutine instead of returning")
)

// troubles says in plain words what keeps the store from serving, by SQLite's code.
var troubles = map[sqlite3.ErrNo]string{
	sqlite3.ErrBusy:     "the database is busy",
	sqlite3.ErrLocked:   "the database is locked",
	sqlite3.ErrProtocol: "the database is busy",
	sqlite3.ErrFull:     "the disk is full",
	sqlite3.ErrReadonly: "the database cannot be written to",
	sqlite3.ErrPerm:     "the database file may not be used",
	sqlite3.ErrIoErr:    "the disk cannot be read or written",
	sqlite3.ErrCantOpen: "the database file cannot be opened",
	sqlite3.ErrCorrupt:  "the database file is damaged",
	sqlite3.ErrNotADB:   "the file is not a database",
	sqlite3.ErrNomem:    "memory has run out",
}

// explain turns what SQLite reports into a refusal where it is one, and leaves
// every other error as it is. The cause stays wrapped for the log.
func explain(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := domain.AsError(err); ok {
		return err
	}
	if trouble, ok := troubleOf(err); ok {
		return unavailable(trouble, err)
	}
	var report sqlite3.Error
	if !errors.As(err, &report) || report.Code != sqlite3.ErrConstraint {
		return err
	}
	text := report.Error()
	if reason, ok := raisedReason(text); ok {
		return domain.Refuse(domain.Conflict, reason, "the database refused it: %s", reason).Because(err)
	}
	if strings.HasPrefix(text, oneClaimPerSlot) {
		return domain.Refuse(domain.Conflict, "slot_taken", "the slot is taken").Because(err)
	}
	return err
}

// troubleOf says what keeps the store from serving, if that is what err reports.
func troubleOf(err error) (string, bool) {
	var report sqlite3.Error
	if !errors.As(err, &report) {
		return "", false
	}
	trouble, ok := troubles[report.Code]
	return trouble, ok
}

// raisedReason takes the reason from the text of a trigger's RAISE.
func raisedReason(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, reasonPrefix)
	if !ok {
		return "", false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	if end >= 0 {
		rest = rest[:end]
	}
	return rest, rest != ""
}

// unavailable is the refusal of a store that cannot serve now. Each caller gets
// one of its own, because refusals can be added to.
func unavailable(trouble string, cause error) *domain.Error {
	return domain.Refuse(domain.Unavailable, "unavailable", "%s; please try again", trouble).Because(cause)
}

// gaveUp is the answer to a caller whose context ended before its turn came.
func gaveUp(cause error) *domain.Error {
	return unavailable("the request ended before its turn came", cause)
}

// isBusy reports whether another connection holds the lock that was asked for.
func isBusy(err error) bool {
	var report sqlite3.Error
	return errors.As(err, &report) &&
		(report.Code == sqlite3.ErrBusy || report.Code == sqlite3.ErrLocked)
}

// deadContext ends every statement before it starts, with an error of its own.
// It is how a QueryRow, which cannot return an error itself, is refused.
type deadContext struct {
	context.Context
	err error
}

func (c deadContext) Done() <-chan struct{} { return closedChannel }
func (c deadContext) Err() error            { return c.err }

var closedChannel = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
