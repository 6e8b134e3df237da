// The server's clock, carried on from the last answer. The phone's own clock may be
// wrong, so only the time that has passed on it counts.

// The page's own `now` is that of its answer, which a slow line may have brought a while ago.
let known = Number(document.body.dataset.now) * 1000;
let knownAt = performance.getEntriesByType("navigation")[0]?.responseStart || performance.now();
let wallAt = Date.now() - (performance.now() - knownAt);

// Answers name whole seconds and have been under way for a while.
const unsure = 2_000;

/** Takes the server's `now`, in unix seconds, from an answer that has just come. */
export function sync(unixSeconds) {
  if (!unixSeconds) return;
  const fresh = unixSeconds * 1000;
  const carried = serverNow();
  // Where both can be right the clock is carried on: a countdown must not jump back.
  known = carried >= fresh && carried < fresh + unsure && !hasSlept() ? carried : fresh;
  knownAt = performance.now();
  wallAt = Date.now();
}

/** What the server's clock says now, in milliseconds since 1970. */
export function serverNow() {
  const onPage = performance.now() - knownAt;
  const onWall = Date.now() - wallAt;
  return known + (hasSlept() && onWall > onPage ? onWall : onPage);
}

/** Whether the page slept: some phones stop the page's clock while locked. */
export function hasSlept() {
  return Math.abs(Date.now() - wallAt - (performance.now() - knownAt)) > 2_000;
}

// A page that comes back from the browser's memory tells an old state.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
