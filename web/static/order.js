// An order's page: the choice it was made of is done with, the screen stays on while
// the ticket is looked at, and the ticket fills the screen when it is tapped.
import { ordered } from "./choice.js";

const full = document.querySelector("[data-full]");
const here = full.querySelector("[data-full-here]");
const ticket = () => document.querySelector("[data-ticket]");

let awake = null;

/** Keeps the screen on as long as a ticket is shown; phones that cannot do it dim as ever. */
async function stayAwake() {
  const wanted = ticket() !== null && !document.hidden;
  try {
    if (wanted && !awake) {
      awake = await navigator.wakeLock?.request("screen");
      awake?.addEventListener("release", () => (awake = null));
    } else if (!wanted && awake) {
      await awake.release();
      awake = null;
    }
  } catch {
    awake = null; // a low battery says no
  }
}

function fill() {
  const shown = ticket();
  if (!shown) return full.open ? full.close() : undefined;
  here.replaceChildren(shown.querySelector("img").cloneNode(), shown.querySelector(".code").cloneNode(true), shown.querySelector("h2").cloneNode(true));
}

function refresh() {
  const hint = document.querySelector("[data-enlarge-hint]");
  if (hint) hint.hidden = false;
  if (full.open) fill();
  stayAwake();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-enlarge]")) {
    fill();
    full.showModal();
  } else if (full.open && full.contains(target)) {
    full.close();
  }
});
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:afterSwap", refresh);

ordered();
refresh();
