// Adds up the choice while it is made. The server works out the real total; this
// is what the bar at the bottom says until then.
import { at } from "./clock.js";

const form = document.querySelector("form[data-grid]");

/** Fen as people write them: ￥60 or ￥60.50. */
function yuan(fen) {
  const whole = fen % 100 === 0;
  return "￥" + (whole ? fen / 100 : (fen / 100).toFixed(2));
}

function add() {
  let slots = 0;
  let pieces = 0;
  let fen = 0;
  for (const box of form.querySelectorAll('input[name="slot"]:checked')) {
    slots += 1;
    fen += Number(box.dataset.price);
  }
  for (const field of form.querySelectorAll("input[data-good]")) {
    const qty = Math.max(0, Math.floor(Number(field.value) || 0));
    pieces += qty;
    fen += qty * Number(field.dataset.price);
  }
  form.querySelector("[data-count]").textContent = slots;
  form.querySelector("[data-pieces]").textContent = pieces;
  form.querySelector("[data-total]").textContent = yuan(fen);
  const most = Number(form.dataset.most);
  form.querySelector("[data-too-many]").hidden = slots <= most;
  const submit = form.querySelector("button[data-submit]");
  if (submit) submit.disabled = slots > most || (slots === 0 && pieces === 0);
  return slots + pieces;
}

function steppers() {
  for (const step of form.querySelectorAll("button[data-step]")) {
    step.hidden = false;
    step.addEventListener("click", () => {
      const field = step.parentElement.querySelector("input");
      const most = Number(field.max);
      const next = (Math.floor(Number(field.value)) || 0) + Number(step.dataset.step);
      field.value = Math.min(most, Math.max(0, next));
      add();
    });
  }
}

/** The grid changes by itself at a known instant: load it anew, or say so if that would lose a choice. */
function keepFresh() {
  const stale = form.querySelector("[data-stale]");
  const changesAt = Number(form.dataset.changesAt);
  if (!changesAt) return;
  at(changesAt, () => {
    if (add() === 0 && !form.dataset.answer) location.reload();
    else stale.hidden = false;
  });
}

if (form) {
  steppers();
  add();
  keepFresh();
  form.addEventListener("input", add);
  form.addEventListener("change", add);
  // Bring the chosen day into view on a long strip.
  document.querySelector('.days [aria-current="date"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  document.querySelector(".refused-here")?.scrollIntoView({ block: "center", inline: "center" });
}
