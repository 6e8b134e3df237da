package browser_test

import (
	"fmt"

	"github.com/chromedp/cdproto/emulation"
)

// cell is the choice of a slot on the grid.
func cell(court, clock string) string {
	return fmt.Sprintf(`input[name="slot"][value="%s"]`, slotID(court, clock))
}

// gridCell is a slot on the grid, boardCell one on the desk's board.
func gridCell(court, clock string) string {
	return fmt.Sprintf(`td[data-slot="%s"]`, slotID(court, clock))
}

func boardCell(court, clock string) string {
	return fmt.Sprintf(`.cell[data-slot="%s"]`, slotID(court, clock))
}

// slotID names a slot as pages do.
func slotID(court, clock string) string { return fmt.Sprintf("%s@%d", court, at(clock).Unix()) }

// choose picks slots on the grid: court, time, court, time.
func (u *user) choose(courtsAndTimes ...string) {
	u.t.Helper()
	for i := 0; i < len(courtsAndTimes); i += 2 {
		u.click(cell(courtsAndTimes[i], courtsAndTimes[i+1]))
	}
}

// sheet opens the order over the grid and waits for its price.
func (u *user) sheet() {
	u.t.Helper()
	u.click("[data-next]")
	u.priced()
}

// priced waits until the sheet says what the order costs now.
func (u *user) priced() {
	u.t.Helper()
	u.until(`document.querySelector("[data-quoted]") && !document.querySelector("[data-submit]").disabled && !document.querySelector(".htmx-request")`)
}

// order makes an order of what has been chosen on the grid.
func (u *user) order() {
	u.t.Helper()
	u.sheet()
	u.clicks("[data-submit]")
}

// signIn signs a customer in at the page that is open: the demonstration shows the code.
func (u *user) signIn(phone string) {
	u.t.Helper()
	u.fillAt("input[name=phone]", phone)
	u.goes(func() { u.keys("\r") })
	u.element("input[name=code]")
	u.fillAt("input[name=code]", eval[string](u, `document.body.innerText.match(/(?<!\d)\d{6}(?!\d)/)[0]`))
	u.goes(func() { u.keys("\r") })
}

// signInStaff signs a member of staff in.
func (u *user) signInStaff(role string) {
	u.t.Helper()
	username, password := u.account(role)
	u.open("/desk/login")
	u.fillAt("input[name=username]", username)
	u.fillAt("input[name=password]", password)
	u.goes(func() { u.keys("\r") })
}

// as lets somebody in with the token of a session, without the sign-in page.
func (u *user) as(token string) *user {
	u.t.Helper()
	u.cookie("courtd_session", token)
	return u
}

// withoutScripts lets no page run a script from now on.
func (u *user) withoutScripts() {
	u.t.Helper()
	u.bare = true
	send(u, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// looksAgain comes back to the page from another window.
func (u *user) looksAgain() {
	u.t.Helper()
	eval[bool](u, `document.dispatchEvent(new Event("visibilitychange"))`)
}
