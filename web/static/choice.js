// What somebody has chosen on a day. The tab keeps it, so that neither a fresh grid
// nor another page in between loses it, until it has become an order.

const place = (date) => `courtd.choice.${date}`;
const sentPlace = "courtd.sent";

/** Some browsers let nobody keep anything; then a choice lives as long as its page. */
function kept(act) {
  try {
    return act(sessionStorage);
  } catch {
    return null;
  }
}

/** What was chosen on a day: {slots: [id], goods: {name: pieces}, coupon}. */
export function recall(date) {
  const choice = kept((store) => JSON.parse(store.getItem(place(date))));
  return { slots: choice?.slots ?? [], goods: choice?.goods ?? {}, coupon: choice?.coupon ?? "" };
}

export function keep(date, choice) {
  kept((store) => store.setItem(place(date), JSON.stringify(choice)));
}

/** Whether the tab has kept anything of a day. */
export function keeps(date) {
  return Boolean(kept((store) => store.getItem(place(date))));
}

/** The choice of a day is on its way to the server. */
export function sent(date) {
  kept((store) => store.setItem(sentPlace, date));
}

/** What was sent has come back to the grid: it is no order yet. */
export function cameBack() {
  kept((store) => store.removeItem(sentPlace));
}

/** An order's page is open: what was sent has become that order. */
export function ordered() {
  kept((store) => {
    const date = store.getItem(sentPlace);
    if (date) store.removeItem(place(date));
    store.removeItem(sentPlace);
  });
}
