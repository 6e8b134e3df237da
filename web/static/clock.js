// The server's clock, carried on from the moment the page was loaded. The
// phone's own clock may be wrong, so only the time that has passed on it counts.

const loadedAt = performance.now();
const wallAtLoad = Date.now();

/** The server's `now` from the page, in milliseconds since 1970. */
const serverAtLoad = Number(document.body.dataset.now) * 1000;

/** What the server's clock says now, in milliseconds since 1970. */
export function serverNow() {
  return serverAtLoad + (performance.now() - loadedAt);
}

/** Whether the page slept: some phones stop the page's clock while locked. */
export function hasSlept() {
  const byPage = performance.now() - loadedAt;
  const byPhone = Date.now() - wallAtLoad;
  return Math.abs(byPhone - byPage) > 2000;
}

/** Calls `act` when the server's clock reaches `unixSeconds`. */
export function at(unixSeconds, act) {
  const left = unixSeconds * 1000 - serverNow();
  // A timer longer than 24.8 days overflows; such a page will be reloaded before.
  if (left > 0 && left < 2 ** 31) setTimeout(act, left + 200);
}

// A page that comes back from the browser's memory tells an old state.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
