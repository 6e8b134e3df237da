package browser_test

import "testing"

// headerFaults says what is wrong with the links above a page.
const headerFaults = `(() => {
	const at = (e) => e.getBoundingClientRect(), faults = [], middle = (e) => at(e).top + at(e).height / 2;
	const brand = document.querySelector(".top .brand"), name = brand.querySelector("span"), self = document.querySelector(".top .self");
	if (name.scrollWidth > name.clientWidth && getComputedStyle(name).textOverflow !== "ellipsis") faults.push("the name is cut off");
	if (at(name).right > at(brand).right + 1 || at(brand).right > at(self).left) faults.push("the name runs into what is beside it");
	if (Math.abs(middle(brand) - middle(self)) > 1) faults.push("the name and the sign-out are in two rows");
	if (at(self).right > innerWidth) faults.push("the sign-out is out of sight");
	for (const e of document.querySelectorAll(".top :is(a, button)"))
		if (at(e).height < 44 || at(e).width < 44) faults.push(e.innerText + " is " + at(e).width + " × " + at(e).height);
	for (const nav of document.querySelectorAll(".top nav")) {
		if (!nav.getAttribute("aria-label")) faults.push("a row of links has no name");
		const rows = new Set([...nav.children].map((e) => at(e).top));
		if (rows.size !== 1) faults.push(nav.ariaLabel + " has " + rows.size + " rows");
		const here = nav.querySelector("[aria-current=page]");
		if (!here || at(here).left < 0 || at(here).right > innerWidth) faults.push(nav.ariaLabel + ": the page that is open is out of sight");
	}
	return faults;
})()`

// Whatever the venue's name, its row stays one, and the page that is open is in sight
// among the links, however many there are.
func TestHeader(t *testing.T) {
	t.Parallel()
	k := openClub(t)
	owner := k.staff("owner")
	k.call("PUT", "/api/v1/owner/venue", owner, body{"name": "晨光羽毛球馆与很长的名字 Featherstonehaugh 中心馆"})
	tokens := map[string]string{"/orders": k.customer(customerPhone), "/desk": k.staff("desk"), "/owner/staff": owner}
	between := screen{width: 660, height: 740, lang: "zh"} // a tablet
	u := k.visitor(phone)
	for path, token := range tokens {
		u.as(token)
		for _, lang := range []string{"zh", "en"} {
			u.speak(lang)
			for _, s := range []screen{phone, between, wide} {
				u.look(s.in(lang))
				u.open(path)
				u.fits()
				for _, fault := range eval[[]string](u, headerFaults) {
					u.complain("%s in %s, %d px wide: %s", path, lang, u.width, fault)
				}
			}
		}
	}
}
