// Keeps the live parts of a page fresh: each asks for itself again when it is bound
// to change, when somebody looks at the page again, and every fifteen seconds with
// its ETag, which the server answers 304 as long as nothing has changed. In a
// demonstration, whose clock anybody moves, it asks more often. When no answer comes
// the page says so, and asks less and less often.
import { hasSlept, serverNow, sync } from "./clock.js";
import { keepFocus } from "./focus.js";

// Milliseconds between two questions about a part.
const pause = Number(document.body.dataset.pause) * 1_000 || 15_000;
const least = 1_000; // the same, whatever changes
const longest = 30_000; // an answer takes; htmx itself gives up before that
const lag = 150; // after changes_at: whole seconds are not exact
const backOff = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000]; // after so many failures in a row

// What is known of a part, by its id, which stays when the part is replaced: when it
// was asked for last, the changes_at that it was asked for, whether an answer is
// under way, whether to ask once more then, and how many acts there had been.
const states = new Map();
let acts = 0; // requests of this page besides those for live parts
let failures = 0; // in a row
let freshAt = Date.now();
let leaving = false;
let focusAgain = () => {};

const parts = () => document.querySelectorAll("[data-live]");
const isPart = (element) => element instanceof Element && element.matches("[data-live]");

function about(part) {
  let state = states.get(part.id);
  if (!state) states.set(part.id, (state = { askedAt: performance.now(), met: 0, busy: false, again: false, acts: 0 }));
  return state;
}

const isBusy = (state) => state.busy && performance.now() - state.askedAt < longest;

/** What somebody has begun in a part must not be swapped away under their hands. */
function inHand(part) {
  if (part.querySelector("dialog[open], details[open][data-hold]")) return true;
  const field = document.activeElement;
  const typed = field?.matches("textarea, input:not([type=checkbox], [type=radio], [type=submit], [type=button])");
  return typed && part.contains(field) && field.value !== field.defaultValue;
}

/** Milliseconds until a part has to ask for itself. */
function wait(part) {
  const state = about(part);
  const since = performance.now() - state.askedAt;
  if (failures) return backOff[Math.min(failures, backOff.length) - 1] - since;
  const changesAt = Number(part.dataset.changesAt) * 1000;
  if (!changesAt || state.met === changesAt) return pause - since;
  return Math.max(Math.min(pause - since, changesAt + lag - serverNow()), least - since);
}

let timer = 0;

function plan() {
  clearTimeout(timer);
  if (document.hidden) return;
  const next = Math.min(...[...parts()].filter((part) => !isBusy(about(part))).map(wait));
  if (Number.isFinite(next)) timer = setTimeout(ask, Math.max(next, 0));
}

function ask() {
  for (const part of parts()) {
    if (wait(part) > 0) continue;
    if (inHand(part)) about(part).askedAt = performance.now() - Math.max(pause - 3_000, 0); // look again soon
    else refresh(part);
  }
  plan();
}

/** Asks for a part now, or once more when an answer is under way. */
export function refresh(part) {
  const state = about(part);
  if (isBusy(state)) {
    state.again = true;
    return;
  }
  state.askedAt = performance.now();
  const changesAt = Number(part.dataset.changesAt) * 1000;
  if (changesAt && changesAt <= serverNow()) state.met = changesAt;
  window.htmx?.trigger(part, "live");
}

function refreshAll() {
  for (const part of parts()) if (!inHand(part)) refresh(part);
  plan();
}

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (isPart(detail.elt) && detail.elt.dataset.etag) detail.headers["If-None-Match"] = detail.elt.dataset.etag;
});

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (!isPart(detail.elt)) {
    acts += 1;
    return;
  }
  Object.assign(about(detail.elt), { busy: true, acts });
});

document.addEventListener("htmx:beforeOnLoad", ({ detail }) => sync(Number(detail.xhr.getResponseHeader("X-Courtd-Now"))));

document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt: part, xhr } = event.detail;
  if (!isPart(part) || xhr.status === 304) return;
  const state = about(part);
  if (xhr.status !== 200 || !xhr.getResponseHeader("X-Courtd-Now")) {
    // Not the part but a page: the sign-in is over, or what was here is gone.
    event.detail.shouldSwap = false;
    if (xhr.status < 500 && xhr.status !== 429 && performance.now() > 5_000) location.reload();
  } else if (state.acts !== acts || !part.isConnected) {
    // Something was done meanwhile, and this answer may be from before it.
    event.detail.shouldSwap = false;
    state.again = part.isConnected;
  } else if (inHand(part)) {
    event.detail.shouldSwap = false;
  } else {
    focusAgain = keepFocus(part);
  }
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  // A part that has been replaced hears nothing; its parent is told instead.
  const asked = detail.requestConfig.elt;
  if (!isPart(asked)) {
    acts += 1;
    return;
  }
  const state = about(asked);
  const { status } = detail.xhr;
  state.busy = false;
  if (status === 0 || status === 429 || status >= 500) {
    state.again = false;
    if (!leaving) failures += 1;
  } else {
    failures = 0;
    freshAt = Date.now();
    const now = Number(detail.xhr.getResponseHeader("X-Courtd-Now")) * 1000;
    if (now && now < state.met) state.met = 0; // asked too early
  }
  showOffline();
  const part = document.getElementById(asked.id);
  if (state.again && part) {
    state.again = false;
    refresh(part);
  }
  plan();
});
document.addEventListener("htmx:afterSettle", () => {
  focusAgain(); // where the page itself has not put it
  focusAgain = () => {};
  plan();
});

const offline = document.querySelector("[data-offline]");

/** Says that no answer comes, and how old what stands here is. One failure is no news. */
function showOffline() {
  if (!offline) return;
  offline.hidden = failures < 2 && !(failures && !navigator.onLine);
  if (offline.hidden) return;
  const minutes = Math.floor((Date.now() - freshAt) / 60_000);
  offline.querySelector("[data-new]").hidden = minutes > 0;
  offline.querySelector("[data-old]").hidden = minutes === 0;
  const shown = offline.querySelector("[data-minutes]");
  if (shown.textContent !== String(minutes)) shown.textContent = minutes;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) plan();
  else refreshAll();
});
addEventListener("online", refreshAll);
addEventListener("offline", refreshAll);
addEventListener("pagehide", () => {
  leaving = true;
});

// A phone that was locked over an open page, or a computer that slept: timers were
// late and the clock stood still, so everything is asked for at once.
setInterval(() => {
  showOffline();
  if (hasSlept() && !document.hidden && failures === 0) refreshAll();
}, 1_000);

// htmx is deferred as this module is; both have run when the page is complete.
if (document.readyState === "complete") plan();
else addEventListener("load", plan);
