// The server's clock, carried on from the last answer. The phone's own clock may be
// wrong, so only the time that has passed on it counts.

let known = Number(document.body.dataset.now) * 1000;
let knownAt = performance.now();
let wallAt = Date.now();

/** Takes the server's `now`, in unix seconds, from an answer that has just come. */
export function sync(unixSeconds) {
  if (!unixSeconds) return;
  // Whole seconds: within one the clock is carried on and does not jump back.
  const fresh = unixSeconds * 1000;
  const carried = serverNow();
  known = carried >= fresh && carried < fresh + 1000 && !hasSlept() ? carried : fresh;
  knownAt = performance.now();
  wallAt = Date.now();
}

/** What the server's clock says now, in milliseconds since 1970. */
export function serverNow() {
  return known + (performance.now() - knownAt);
}

/** Whether the page slept: some phones stop the page's clock while locked. */
export function hasSlept() {
  return Math.abs(Date.now() - wallAt - (performance.now() - knownAt)) > 2000;
}

// A page that comes back from the browser's memory tells an old state.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
