// The sheet before the order is made: goods, coupon, and what all of it costs. Without
// scripts the same fields stand below the grid.
import { keeps, sent } from "./choice.js";
import { changed, form, goods, nothing, pieces, renew, told, whenChanged } from "./grid.js";

const sheet = form.querySelector("[data-basket]");
const quote = form.querySelector("[data-quote]");
const said = form.querySelector("[data-quote-said]");
const submit = form.querySelector("[data-submit]");
const next = form.querySelector("[data-next]");
const coupon = form.querySelector("#coupon");
const called = form.querySelector("#called"); // customers only

let asking = 0;
let shown = false; // that all was lost, to whoever wanted to go on

/** Asks what the choice costs, once nobody has changed it for a moment. */
function ask(wait = 250) {
  clearTimeout(asking);
  if (sheet.open) asking = setTimeout(() => window.htmx?.trigger(quote, "quote"), wait);
}

/** Says at each field what the server finds wrong with it. */
function place(answer) {
  for (const spot of form.querySelectorAll("[data-wrong]")) {
    const words = answer.querySelector(`[data-wrong-of="${CSS.escape(spot.dataset.wrong)}"]`);
    spot.hidden = !words;
    spot.textContent = words?.textContent ?? "";
    const field = form.elements[spot.dataset.wrong];
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

function answered() {
  const answer = quote.querySelector("[data-quoted]");
  if (!answer) return;
  place(answer);
  const { total } = answer.dataset;
  submit.disabled = !total;
  said.textContent = total ? `${answer.querySelector(".total th").textContent} ${total}` : "";
  if ("stale" in answer.dataset) renew();
}

/** Nothing is left of the choice: the grid says so, and no sheet lies over it. */
function emptied() {
  shown = true;
  if (sheet.open) sheet.close();
  form.querySelector("#bar").focus();
}

function open() {
  if (sheet.open) return;
  // Whoever goes on after that wants goods alone.
  if (told() && nothing() && !shown) return emptied();
  sheet.showModal();
  submit.disabled = true;
  ask(0);
}

/** Sends the order off, unless something on the sheet has to be mended first. */
function order() {
  const wrong = sheet.querySelector('[aria-invalid="true"]');
  if (wrong) wrong.focus();
  else form.requestSubmit();
}

function step(button) {
  const field = button.parentElement.querySelector("input");
  field.value = Math.min(Number(field.max), Math.max(0, pieces(field) + Number(button.dataset.step)));
  changed();
}

sheet.removeAttribute("open");
quote.hidden = false;
for (const control of sheet.querySelectorAll("[data-close], [data-step], [data-apply], [data-foot]")) control.hidden = false;

sheet.addEventListener("click", ({ target }) => {
  if (target === sheet || target.closest("[data-close]")) sheet.close();
  else if (target.closest("[data-step]")) step(target.closest("[data-step]"));
  else if (target.closest("[data-apply]")) ask(0);
  else if (target.closest("[data-submit]")) order();
});
sheet.addEventListener("keydown", (event) => {
  // Enter in a field would send the form; here it asks for the price.
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  changed();
  ask(0);
});
for (const field of [...goods(), coupon, called]) field?.addEventListener("input", () => changed());
next?.addEventListener("click", (event) => {
  event.preventDefault();
  open();
});
form.addEventListener("submit", () => {
  sent(form.dataset.date);
  setTimeout(() => (submit.disabled = true)); // twice is once all the same
});
whenChanged((lost) => {
  if (lost) shown = false;
  if (lost && sheet.open && nothing()) emptied();
  else ask();
});

// What the address has brought is the tab's since: the other language finds it as it is by then.
const language = document.querySelector("header a[lang]");
language.addEventListener("click", () => {
  const { date } = form.dataset;
  if (keeps(date)) language.href = `/?${new URLSearchParams({ date, lang: new URL(language.href).searchParams.get("lang") })}`;
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // A refusal of the request itself is a page, not a price: the order will say it.
  if (detail.target === quote && detail.xhr.status !== 200) {
    detail.shouldSwap = false;
    submit.disabled = false;
  }
});
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  quote.addEventListener(failure, () => (submit.disabled = false));
}
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target === quote) answered();
});

if ("open" in sheet.dataset) {
  if (window.htmx) open();
  else addEventListener("load", open);
}
