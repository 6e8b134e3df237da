package sqlite

import (
	"database/sql/driver"
	"fmt"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// The marks around every command and every step that may be undone.
const (
	savepointCommand = "SAVEPOINT command"
	releaseCommand   = "RELEASE command"
	savepointTry     = "SAVEPOINT try"
	releaseTry       = "RELEASE try"
)

// marks keeps the writer's marks prepared: a statement without parameters is prepared
// anew each time it is given to the driver as a text, and these stand around everything.
type marks struct {
	conn *sqlite3.SQLiteConn // that they were prepared on
	kept map[string]*sqlite3.SQLiteStmt
}

// close gives the statements up. A connection that is closed before them keeps its files
// open.
func (m *marks) close() {
	for _, stmt := range m.kept {
		stmt.Close()
	}
	*m = marks{}
}

// mark sets or takes away a mark in the writer's transaction.
func (s *Snapshot) mark(statement string) error {
	if err := s.statementContext().Err(); err != nil {
		return explain(err)
	}
	m := &s.db.marks
	if m.conn != s.raw { // the writer has got another connection
		m.close()
		*m = marks{conn: s.raw, kept: map[string]*sqlite3.SQLiteStmt{}}
	}
	stmt := m.kept[statement]
	if stmt == nil {
		prepared, err := s.raw.Prepare(statement)
		if err != nil {
			return explain(err)
		}
		var ok bool
		if stmt, ok = prepared.(*sqlite3.SQLiteStmt); !ok {
			return fmt.Errorf("%s was prepared as a %T", statement, prepared)
		}
		m.kept[statement] = stmt
	}
	_, err := stmt.Exec([]driver.Value{})
	return explain(err)
}
