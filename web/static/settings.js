// Small help on the owner's settings: hours of a day that is closed need not be
// filled in, and what was unfolded stays unfolded when a part of the page is new.

function closed(box) {
  for (const end of ["opens", "closes"]) {
    const field = document.getElementById(`${box.dataset.closes}.${end}`);
    if (field) field.disabled = box.checked;
  }
}

function prepare() {
  for (const box of document.querySelectorAll("input[data-closes]")) closed(box);
}

let unfolded = [];

document.addEventListener("change", ({ target }) => {
  if (target.matches("input[data-closes]")) closed(target);
});
document.addEventListener("htmx:beforeSwap", () => {
  unfolded = [...document.querySelectorAll("details[open][id]")].map((part) => part.id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  prepare();
});

prepare();
