// The grid: keeps the choice while the grid renews itself, adds it up, and says when
// somebody else was faster. The server works out the real total and decides.
import { cameBack, keep, recall } from "./choice.js";
import { refresh } from "./live.js";

export const form = document.querySelector("form[data-grid]");
const { date } = form.dataset;
const most = Number(form.dataset.most);
const find = (selector) => form.querySelector(selector);
const findAll = (selector) => [...form.querySelectorAll(selector)];

const chosen = new Set(); // slots that are chosen, by id
const lost = new Set(); // slots that were chosen and cannot be had any more
const watchers = [];
let at = ""; // the slot that the keyboard is on, by id

/** Calls back whenever the choice has changed, and says whether the server took something out of it. */
export const whenChanged = (watcher) => watchers.push(watcher);

/** Asks for the grid now. */
export const renew = () => refresh(document.getElementById("slots"));

const boxOf = (id) => document.getElementById(`slot-${id}`);
const cellOf = (id) => find(`td[data-slot="${CSS.escape(id)}"]`);
export const goods = () => findAll("input[data-good]");
export const pieces = (field) => Math.max(0, Math.floor(Number(field.value) || 0));

/** Whether neither a slot nor a good is chosen. */
export const nothing = () => chosen.size === 0 && goods().every((field) => pieces(field) === 0);

/** Fen as people write them: ￥60 or ￥60.50, and ¥60 on an English page. */
function yuan(fen) {
  return (document.documentElement.lang === "en" ? "¥" : "￥") + (fen % 100 === 0 ? fen / 100 : (fen / 100).toFixed(2));
}

function save() {
  const wanted = {};
  for (const field of goods()) if (pieces(field) > 0) wanted[field.name] = pieces(field);
  keep(date, { slots: [...chosen], goods: wanted, coupon: find("#coupon").value });
}

/** Whether the slots are one stretch of time on one court. */
function inOneGo(boxes) {
  const slots = boxes.map((box) => {
    const at = box.value.lastIndexOf("@");
    return { court: box.value.slice(0, at), start: Number(box.value.slice(at + 1)), end: Number(box.dataset.end) };
  });
  slots.sort((a, b) => a.start - b.start);
  return slots.every((slot, i) => i === 0 || (slot.court === slots[0].court && slot.start === slots[i - 1].end));
}

/** Says at the bottom what is chosen and what it comes to. */
function show(refused = false) {
  const boxes = findAll('input[name="slot"]:checked');
  const count = boxes.length;
  let fen = boxes.reduce((sum, box) => sum + Number(box.dataset.price), 0);
  let parts = 0;
  for (const field of goods()) {
    parts += pieces(field);
    fen += pieces(field) * Number(field.dataset.price);
  }
  find("[data-count]").textContent = count;
  find("[data-pieces]").textContent = parts;
  find("[data-total]").textContent = yuan(fen);
  find("[data-some]").hidden = count === 0;
  find("[data-with]").hidden = parts === 0;
  find("[data-none]").hidden = count + parts > 0;
  find("[data-total]").hidden = count + parts === 0;
  find("[data-too-many]").hidden = !refused && count <= most;
  find("[data-apart]").hidden = inOneGo(boxes);
  const next = find("[data-next]");
  if (!next) return;
  const words = count + parts > 0 ? next.dataset.words : next.dataset.goodsWords;
  next.textContent = words || next.dataset.words;
  next.classList.toggle("plain", count + parts === 0);
  next.disabled = count > most || !words;
}

/** The choice has changed: keep it, show it and tell. */
export function changed({ refused = false, byServer = false } = {}) {
  save();
  show(refused);
  for (const watcher of watchers) watcher(byServer);
}

function mark(id) {
  const cell = cellOf(id);
  if (!cell || cell.querySelector(".lost")) return;
  const words = document.createElement("small");
  words.className = "wrong lost";
  words.textContent = ["held", "taken"].includes(cell.dataset.state) ? form.dataset.taken : form.dataset.gone;
  cell.querySelector(".wrong")?.remove();
  cell.append(words);
  cell.dataset.lost = "";
}

/** Says on the grid and on the sheet over it that something was lost, or no more. */
function tell(lost) {
  for (const told of findAll("[data-told]")) told.hidden = !lost;
}

/** Whether it stands on the page that something was lost. */
export const told = () => !find("[data-told]").hidden;

/** Puts the choice into a grid that has just come, as far as it can still be had. */
function apply() {
  const news = [];
  for (const id of chosen) {
    const box = boxOf(id);
    if (box) {
      box.checked = true;
      continue;
    }
    chosen.delete(id);
    const cell = cellOf(id);
    if (!cell || cell.dataset.state.startsWith("mine")) continue;
    lost.add(id);
    news.push(cell.dataset.name);
  }
  for (const id of lost) {
    if (boxOf(id)) lost.delete(id);
    else mark(id);
  }
  if (news.length > 0) {
    for (const what of findAll("[data-told-what]")) what.textContent = news.join(", ");
    tell(true);
  }
  for (const left of findAll("[data-left-of]")) {
    const shown = find(`[data-left-shown="${CSS.escape(left.dataset.leftOf)}"]`);
    if (!shown) continue;
    shown.textContent = left.textContent;
    document.getElementById(`good-${left.dataset.leftOf}`).max = left.dataset.most;
  }
  const none = find("[data-none]");
  const nothing = find("[data-nothing]").textContent;
  if (none.textContent !== nothing) none.textContent = nothing; // the day may have filled up meanwhile
  changed({ byServer: news.length > 0 });
}

/** A box was ticked or cleared by whoever looks at the page. */
function pick(box) {
  tell(false);
  const refused = box.checked && chosen.size >= most;
  if (refused) box.checked = false;
  else if (box.checked) chosen.add(box.value);
  else chosen.delete(box.value);
  changed({ refused });
}

/** Lets the tabulator stop at one slot only: where the keyboard was, or at what comes after it. */
function settle() {
  const stops = findAll("#courts td :is(input, a)");
  const cell = at && cellOf(at);
  const after = (stop) => cell.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING;
  const here = (cell && (stops.find((stop) => cell.contains(stop)) ?? stops.find(after))) || find("#courts :checked") || stops[0];
  for (const stop of stops) stop.tabIndex = stop === here ? 0 : -1;
  // What has no slot to stop at is scrolled by itself.
  const courts = document.getElementById("courts");
  if (courts) courts.tabIndex = here ? -1 : 0;
  return here;
}

const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** The arrow keys go from slot to slot, Home and End to the first and the last of a row. */
function walk(event) {
  const step = steps[event.key];
  const cell = event.target.closest("td[data-slot]");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Home" || event.key === "End") {
    event.preventDefault();
    [...cell.parentElement.querySelectorAll("input, a")].at(event.key === "Home" ? 0 : -1).focus();
    return;
  }
  if (!step) return;
  event.preventDefault();
  const rows = findAll("#courts tbody tr");
  let row = rows.indexOf(cell.parentElement);
  let column = cell.cellIndex;
  for (;;) {
    row += step[0];
    column += step[1];
    const next = rows[row]?.cells[column];
    if (!next || column < 1) return;
    const stop = next.querySelector("input, a");
    if (stop) return stop.focus();
  }
}

/** The names of the courts hang below the strip of days, however far the page is moved. */
function hang() {
  const courts = document.getElementById("courts");
  if (!courts) return;
  const box = courts.getBoundingClientRect();
  const covered = Math.max(find(".days").getBoundingClientRect().bottom, 0) - box.top - courts.clientTop;
  const most = box.height - 2 * courts.querySelector("thead").offsetHeight;
  // On the form, which stays: htmx would carry the style of a part over into the next.
  form.style.setProperty("--under", `${Math.max(Math.min(covered, most), 0)}px`);
}

let scrolled = [0, 0, 0];
let held = false; // the keyboard was on a slot

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "slots") return;
  const courts = document.getElementById("courts");
  scrolled = [courts?.scrollLeft ?? 0, courts?.scrollTop ?? 0, find(".days").scrollLeft];
  held = Boolean(courts?.contains(document.activeElement));
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "slots") return;
  document.getElementById("courts")?.scrollTo(scrolled[0], scrolled[1]);
  find(".days").scrollTo(scrolled[2], 0);
  hang();
  apply();
  const stop = settle();
  // A slot that cannot be had any more leaves the keyboard to the next one.
  if (held && !document.getElementById("courts")?.contains(document.activeElement)) stop?.focus({ preventScroll: true });
});

/** Takes up the choice that the server has ticked, else the one that the tab has kept. */
function begin() {
  cameBack();
  if ("chosen" in form.dataset) {
    for (const box of findAll('input[name="slot"]:checked')) chosen.add(box.value);
    for (const cell of findAll("td[data-refused]")) lost.add(cell.dataset.slot);
    // What the address has told is kept from now on; loading anew must not bring it back.
    history.replaceState(null, "", `/?date=${date}`);
  } else {
    const choice = recall(date);
    for (const id of choice.slots) chosen.add(id);
    for (const field of goods()) field.value = choice.goods[field.name] ?? 0;
    find("#coupon").value = choice.coupon;
  }
  apply();
  settle();
  hang();
  addEventListener("scroll", hang, { passive: true });
  addEventListener("resize", hang);
  form.addEventListener("focusin", ({ target }) => {
    const cell = target.closest("td[data-slot]");
    if (!cell) return;
    at = cell.dataset.slot;
    settle();
  });
  form.addEventListener("change", ({ target }) => (target.name === "slot" ? pick(target) : undefined));
  form.addEventListener("keydown", walk);
  const row = find("#courts tbody tr:not(.gone)");
  if (row?.previousElementSibling) document.getElementById("courts").scrollTop = row.offsetTop - find("#courts thead").offsetHeight;
  find('.days [aria-current="date"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  find("td[data-refused]")?.scrollIntoView({ block: "center", inline: "center" });
}

begin();
