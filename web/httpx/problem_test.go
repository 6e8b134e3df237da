package httpx_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"courtd/domain"
	"courtd/web/httpx"
)

func TestProblemShowsWhatTheRefusalIsAbout(t *testing.T) {
	zone := time.FixedZone("", 8*3600)
	refusal := domain.Refuse(domain.Conflict, "slot_taken", "taken").With("order", "o1").With("status", 1).
		With("slot", map[string]any{"court": "c1", "start": domain.Instant(1796895000)})
	refusal.Fields = []domain.FieldError{{Field: "slots[0]", Message: "taken"}}
	text, err := json.Marshal(httpx.ProblemOf(fmt.Errorf("booking: %w", refusal), zone))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"detail":"taken","errors":[{"field":"slots[0]","message":"taken","message_zh":"场次已被占用"}],"order":"o1","reason":"slot_taken",` +
		`"slot":{"court":"c1","start":"2026-12-10T17:30:00+08:00"},"status":409,"title":"场次已被占用","title_en":"The slot is taken","type":"about:blank"}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestFaultsSayNothing(t *testing.T) {
	text, err := json.Marshal(httpx.ProblemOf(errors.New("UNIQUE constraint failed: staff.username"), time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "UNIQUE") || !strings.Contains(string(text), `"status":500`) {
		t.Errorf("%s", text)
	}
}

// TestEveryReasonHasWords reads the program for the reasons it refuses for.
func TestEveryReasonHasWords(t *testing.T) {
	refuse := regexp.MustCompile(`(?:Refuse\([\w.]+|NewProblem\([\w.]+),\s*"([a-z_]+)"`)
	raise := regexp.MustCompile(`'reason:([a-z_]+)'`)
	found := map[string]string{"invalid_field": "BadField", "unavailable": "sqlite"}
	err := filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		var pattern *regexp.Regexp
		switch filepath.Ext(path) {
		case ".go":
			pattern = refuse
		case ".sql":
			pattern = raise
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		for _, match := range pattern.FindAllStringSubmatch(string(text), -1) {
			found[match[1]] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for reason, path := range found {
		if zh, en := httpx.Words(reason); !httpx.HasWords(reason) || zh == "" || en == "" {
			t.Errorf("reason %s (%s) has no words", reason, path)
		}
	}
	if len(found) < 40 {
		t.Errorf("only %d reasons found", len(found))
	}
}
