// The day board: arrow keys move over the slots, Enter opens one beside the board,
// a booking is dragged onto a free slot. Everything is a link or a form, so that
// the page works without this too.
import { drag, dragging } from "./board-drag.js";

const panel = document.querySelector("#panel");
const search = document.querySelector("#q");
let at = ""; // the slot that the keyboard is on, as court@start

const sheet = () => document.querySelector("[data-board]");
const open = () => panel.querySelector(".panel");
const cellOf = (slot) => (slot ? document.querySelector(`.cell[data-slot="${CSS.escape(slot)}"]`) : null);

/** Lets the tabulator stop at one cell only, and marks the one that is open. */
function settle() {
  const cells = [...document.querySelectorAll("[data-board] .cell")];
  const opened = open()?.dataset.slot;
  const here = cellOf(at) ?? cellOf(opened) ?? document.querySelector("[data-moving] .cell[data-free]") ?? document.querySelector("tr.now .cell") ?? cells[0];
  at = here?.dataset.slot ?? "";
  for (const cell of cells) {
    cell.tabIndex = cell === here ? 0 : -1;
    cell.classList.toggle("open", cell.dataset.slot === opened);
    if (cell.dataset.slot === opened) cell.setAttribute("aria-current", "true");
    else cell.removeAttribute("aria-current");
  }
  const stale = panel.querySelector("[data-stale]");
  const now = cellOf(opened)?.dataset.sum;
  if (stale) stale.hidden = !open().dataset.sum || !now || now === open().dataset.sum;
}

function goTo(cell) {
  if (!cell) return;
  at = cell.dataset.slot;
  settle();
  cell.focus();
}

const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] };

/** Moves the keyboard over the board; true if the key was one for that. */
function walk(key) {
  const step = steps[key];
  const here = cellOf(at);
  if (!step || !here) return false;
  if (document.activeElement !== here) {
    here.focus();
    return true;
  }
  const rows = [...here.closest("tbody").rows];
  const row = rows.indexOf(here.closest("tr"));
  const line = (n) => [...rows[n].querySelectorAll(".cell")];
  const column = line(row).indexOf(here);
  const to = Math.min(Math.max(row + step[0], 0), rows.length - 1);
  const cells = line(to);
  goTo(cells[Math.min(Math.max(column + step[1], 0), cells.length - 1)]);
  return true;
}

/** Closes the panel where it stands; what else hangs on it needs the page anew. */
function close() {
  const view = open();
  if (!view) return;
  if (view.querySelector(".move") || document.querySelector("[data-moving]")) {
    location.assign(view.dataset.close);
    return;
  }
  const slot = view.dataset.slot;
  history.replaceState(null, "", view.dataset.close);
  panel.replaceChildren();
  settle();
  goTo(cellOf(slot));
}

const writing = (target) => target.closest?.("input:not([type=radio], [type=checkbox]), select, textarea");

const typed = (target) => writing(target) && panel.contains(target) && target.value !== target.defaultValue;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dragging()) return;
  const onBoard = event.target === document.body || event.target.closest("[data-board]");
  if (event.key === "Escape" && !event.target.closest("select")) {
    if (event.target === search) goTo(cellOf(at));
    else if (typed(event.target)) goTo(cellOf(open()?.dataset.slot)); // nothing is lost; once more closes
    else close();
  } else if (event.key === "/" && !writing(event.target)) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (onBoard && walk(event.key)) {
    event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-shut]") && !document.querySelector("[data-moving]") && !panel.querySelector(".move")) {
    event.preventDefault();
    close();
  }
});

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[data-board] .cell") && target.dataset.slot !== at) {
    at = target.dataset.slot;
    settle();
  }
});

/** The page that shows what a panel was asked for. */
const pageOf = (detail) => detail.requestConfig.path.replace("/desk/slot", "/desk");

// What cannot be opened beside the board is opened as a page, which says why.
for (const fault of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(fault, ({ detail }) => detail.target === panel && location.assign(pageOf(detail)));
}

// The board is put in the place of the old one: whoever scrolled it stays there.
let scrolled = null;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target === panel && !detail.xhr.responseURL.includes("/desk/slot")) {
    detail.shouldSwap = false; // a page and no panel: the sign-in is over
    location.assign(pageOf(detail));
  }
  if (detail.target.id !== "board") return;
  if (dragging()) {
    detail.shouldSwap = false; // it asks again
    return;
  }
  scrolled = sheet() && [sheet().scrollLeft, sheet().scrollTop];
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id === "panel") {
    history.replaceState(null, "", pageOf(detail));
    panel.scrollTop = 0;
    if (!panel.contains(document.activeElement)) panel.querySelector("[autofocus], h2")?.focus();
    settle();
  }
});

document.addEventListener("htmx:afterSettle", () => {
  if (scrolled && sheet()) [sheet().scrollLeft, sheet().scrollTop] = scrolled;
  scrolled = null;
  settle();
});

/** Fen as people write them: ￥60 or ￥60.50, and ¥60 on an English page. */
const yuan = (fen) => (document.documentElement.lang === "en" ? "¥" : "￥") + (fen % 100 === 0 ? fen / 100 : (fen / 100).toFixed(2));

// Adds up what a booking costs while it is filled in; the server works out the real sum.
panel.addEventListener("input", ({ target }) => {
  const form = target.closest("[data-book]");
  if (!form) return;
  let fen = Number(form.dataset.price);
  for (const box of form.querySelectorAll("input[type=checkbox]:checked")) fen += Number(box.dataset.price);
  for (const field of form.querySelectorAll("input[type=number]")) {
    fen += Math.max(0, Math.floor(Number(field.value) || 0)) * Number(field.dataset.price);
  }
  form.querySelector("[data-total]").textContent = yuan(fen);
  form.elements.shown.value = fen; // what is agreed to, unless a coupon makes it less
});

// A form that has been sent is not sent again by a second Enter.
panel.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
  // No answer, and the page is still here: another try is the same act by its nonce.
  setTimeout(() => delete event.target.dataset.sent, 5_000);
});
addEventListener("pageshow", () => {
  for (const form of panel.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

drag((reservation, slot) => {
  const query = new URLSearchParams({ date: sheet().dataset.date, move: reservation, to: slot });
  window.htmx.ajax("GET", "/desk/slot?" + query, { target: "#panel", swap: "innerHTML" });
});

settle();
const first = open()?.querySelector("[autofocus]");
if (first) first.focus();
else if (document.querySelector("[data-moving]")) goTo(cellOf(at));
else open()?.querySelector("h2")?.focus({ preventScroll: true }); // whoever has acted goes on from there
cellOf(open()?.dataset.slot)?.scrollIntoView({ block: "nearest", inline: "nearest" });
if (!open()) document.querySelector("tr.now .cell")?.scrollIntoView({ block: "nearest", inline: "nearest" });
