// Keeps the live parts of a page fresh: each asks for itself again when it is bound
// to change, when somebody looks at the page again, and every fifteen seconds with
// its ETag, which the server answers 304 as long as nothing has changed.
import { serverNow, sync } from "./clock.js";

const pause = 15_000;
const askedAt = new Map(); // by the part's id: when it was asked last, on the page's clock
const answered = new Set(); // the parts that have said nothing new since changes_at

function parts() {
  return document.querySelectorAll("[data-live]");
}

/** Milliseconds until a part has to ask for itself. */
function wait(part) {
  const last = askedAt.get(part.id) ?? performance.now();
  askedAt.set(part.id, last);
  const routine = last + pause - performance.now();
  const changesAt = Number(part.dataset.changesAt) * 1000;
  if (!changesAt || answered.has(part.id + "@" + changesAt)) return routine;
  return Math.min(routine, changesAt - serverNow() + 150);
}

let timer = 0;

function plan() {
  clearTimeout(timer);
  if (document.hidden) return;
  const next = Math.min(...[...parts()].map(wait));
  if (Number.isFinite(next)) timer = setTimeout(ask, Math.max(next, 0));
}

function ask() {
  for (const part of parts()) {
    if (wait(part) <= 0) refresh(part);
  }
  plan();
}

/** Asks for a part now. */
export function refresh(part) {
  askedAt.set(part.id, performance.now());
  const changesAt = Number(part.dataset.changesAt) * 1000;
  if (changesAt && changesAt <= serverNow()) answered.add(part.id + "@" + changesAt);
  window.htmx?.trigger(part, "live");
}

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const part = detail.elt;
  if (part.matches("[data-live]") && part.dataset.etag) detail.headers["If-None-Match"] = part.dataset.etag;
});
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => sync(Number(detail.xhr.getResponseHeader("X-Courtd-Now"))));
document.addEventListener("htmx:afterSettle", plan);

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return plan();
  for (const part of parts()) refresh(part);
  plan();
});

// htmx is deferred as this module is; both have run when the page is complete.
if (document.readyState === "complete") plan();
else addEventListener("load", plan);
