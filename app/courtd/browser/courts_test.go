package browser_test

import (
	"fmt"
	"testing"
)

// Twenty courts: the grid and the board move inside their own region, under a header
// and beside times that stay; the page itself does not move sideways.
func TestTwentyCourts(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	owner := k.staff("owner")
	for i := 7; i <= 20; i++ {
		k.call("POST", "/api/v1/owner/courts", owner, body{"name": fmt.Sprintf("%d号场", i)})
	}
	last := k.call("GET", "/api/v1/owner/courts", owner, nil)["items"].([]any)[19].(body)["id"].(string)
	k.sold(owner, "王小明", slots(last, "20:30"))
	u := k.visitor(phone).as(owner)
	for _, s := range []screen{phone, wide} {
		u.look(s)
		u.open("/")
		staysFrozen(u, ".courts", gridCell(last, "20:30"))
		if s == phone {
			keepsNames(u)
		}
		u.open("/desk")
		staysFrozen(u, ".sheet", boardCell(last, "20:30"))
	}
}

// staysFrozen scrolls a region to its far corner, where the last cell is, and wants
// the header above it and the time beside it in sight.
func staysFrozen(u *user, region, cell string) {
	u.t.Helper()
	u.fits()
	u.element(cell)
	faults := eval[[]string](u, `(() => {
		const region = document.querySelector(`+quoted(region)+`), cell = document.querySelector(`+quoted(cell)+`).closest("td");
		region.scrollIntoView({ block: "center", behavior: "instant" });
		region.scrollTo({ left: 1e6, top: 1e6, behavior: "instant" });
		const faults = [], table = cell.closest("table"), row = cell.parentElement;
		if (region.scrollLeft === 0) faults.push("the region does not scroll sideways");
		const box = region.getBoundingClientRect(), line = (n) => Math.abs(n) < 2;
		const head = table.tHead.rows[0].cells[cell.cellIndex], time = row.cells[0], corner = table.tHead.rows[0].cells[0];
		const at = (e) => e.getBoundingClientRect();
		if (!line(at(head).top - box.top - region.clientTop)) faults.push("the header is not at the top");
		if (!line(at(time).left - box.left - region.clientLeft)) faults.push("the time is not at the left");
		if (!line(at(head).left - at(cell).left)) faults.push("the header is not over its column");
		if (!line(at(time).top - at(row).top)) faults.push("the time is not beside its row");
		for (const [name, e] of Object.entries({ header: head, time, corner, cell })) {
			const r = at(e), hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
			if (!e.contains(hit)) faults.push("the " + name + " is covered by " + (hit?.outerHTML.slice(0, 80) ?? "nothing"));
		}
		if (document.scrollingElement.scrollLeft !== 0) faults.push("the page has moved sideways");
		return faults;
	})()`)
	for _, fault := range faults {
		u.complain("%s (%d px wide): %s", u.at(), u.width, fault)
	}
	u.fits()
}
