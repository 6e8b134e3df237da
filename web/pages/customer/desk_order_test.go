package customer_test

import (
	"testing"

	"courtd/app"
	"courtd/domain"
	"courtd/web/pages/clubtest"
)

// deskOrder books the first court for a caller who pays on arrival and gives the
// address of the order's page.
func deskOrder(t *testing.T, k *clubtest.Club, staff app.Actor, start domain.Instant) string {
	t.Helper()
	req := app.OrderRequest{Slots: []app.SlotRef{{Court: "c1", Start: start}}}
	made, _, err := k.App.DeskOrder(t.Context(), staff, req, app.Caller{Name: "王小明", Phone: "13800138000"}, "on_arrival", "")
	clubtest.Must(t, err)
	return "/orders/" + made.ID
}
