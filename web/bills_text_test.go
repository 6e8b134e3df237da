package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"courtd/app"
	"courtd/app/pay/wechat/bill"
	"courtd/domain"
)

// What is written of the calls about bills is what the program does: its numbers are those
// that it goes by, and its codes all that there are.
func TestWhatIsWrittenOfBillsIsSo(t *testing.T) {
	s := open(t)
	var doc struct {
		Paths map[string]map[string]struct {
			Description string
			Parameters  []struct {
				Name   string
				Schema struct{ Enum []string }
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum        []string
					Description string
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(s.get("/openapi.json", "").wants(200).text), &doc); err != nil {
		t.Fatal(err)
	}
	says := func(method, path string, what ...string) {
		t.Helper()
		call, found := doc.Paths["/api/v1/owner/"+path][method]
		text, err := json.Marshal(call)
		if !found || err != nil {
			t.Fatalf("%s %s is not there: %v", method, path, err)
		}
		for _, w := range what {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s %s does not say %q: %s", method, path, w, text)
			}
		}
	}
	says("get", "bills", fmt.Sprintf("the last %d days", app.BillsBack), "`tries`")
	says("post", "bills", "does not add up", "`already`", "after the same file too")
	day := domain.Date{Year: 2026, Month: 12, Day: 9}
	says("post", "bills/fetch", "from "+bill.ReadyAt(day).In(bill.Zone).Format("15:04")+" of the next day", map[int]string{90: "three months"}[bill.KeptFor])
	if got := bill.Day(bill.ReadyAt(day)); got != day.AddDays(1) {
		t.Errorf("it is ready on %s", got)
	}
	codes := []string{app.ThereNotHere, app.HereNotThere, app.AmountDiffers, app.RefundThereNotHere, app.RefundHereNotThere, app.RefundDiffers, app.Flagged}
	for _, p := range doc.Paths["/api/v1/owner/differences"]["get"].Parameters {
		if p.Name == "code" && !slices.Equal(p.Schema.Enum, codes) {
			t.Errorf("the codes to search for are %q", p.Schema.Enum)
		}
	}
	schemas := doc.Components.Schemas
	if got := schemas["DifferenceView"].Properties["code"].Enum; !slices.Equal(got, codes) {
		t.Errorf("the codes are %q", got)
	}
	if got := schemas["BillTryView"].Properties["why"].Enum; !slices.Equal(got, []string{"", app.BillNotReady, app.BillUnavailable, app.BillRefused}) {
		t.Errorf("why a bill is not here is one of %q", got)
	}
	if got := schemas["ExplainBody"].Properties["text"].Description; !strings.Contains(got, fmt.Sprintf("up to %d characters", domain.MaxNoteChars)) {
		t.Errorf("the text of an explanation: %s", got)
	}
	if text := s.get("/openapi.json", "").text; !strings.Contains(text, fmt.Sprintf("up to %d MB", domain.MaxBillBytes>>20)) {
		t.Error("how large a bill may be is not said")
	}
}
