// Drags a booking of the board onto a free slot: with the mouse at once, with a
// finger after a moment's rest, so that the board can still be scrolled.
const slop = 6; // pixels that are no drag yet
const rest = 450; // milliseconds that a finger rests before it drags
const edge = 48; // pixels from the edge of the board where it scrolls along

let held = null; // what the pointer is down on
let over = null;

/** Whether something is being dragged. */
export const dragging = () => Boolean(held?.ghost);

function start() {
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.textContent = held.cell.querySelector(".who")?.textContent ?? "";
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  held.ghost = ghost;
  held.cell.classList.add("dragged");
  held.cell.closest("[data-board]").classList.add("aiming");
}

function stop() {
  clearTimeout(held?.timer);
  held?.ghost?.remove();
  for (const cell of document.querySelectorAll(".dragged, .over")) cell.classList.remove("dragged", "over");
  document.querySelector(".aiming")?.classList.remove("aiming");
  held = over = null;
}

function follow(x, y) {
  held.ghost.style.transform = `translate(${x + 12}px, ${y + 12}px)`;
  const under = document.elementFromPoint(x, y)?.closest?.(".cell[data-free]") ?? null;
  if (under !== over) {
    over?.classList.remove("over");
    under?.classList.add("over");
    over = under;
  }
  const board = document.querySelector("[data-board]");
  const box = board.getBoundingClientRect();
  const pull = (at, low, high) => (at < low + edge ? -12 : at > high - edge ? 12 : 0);
  board.scrollBy(pull(x, box.left, box.right), pull(y, box.top, box.bottom));
}

/** Calls back with the reservation and the slot that it was dropped on. */
export function drag(dropped) {
  document.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest?.(".cell[data-move]");
    if (!cell || event.button !== 0 || !event.isPrimary) return;
    held = { cell, x: event.clientX, y: event.clientY, finger: event.pointerType !== "mouse" };
    if (held.finger) held.timer = setTimeout(() => held && !held.ghost && start(), rest);
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y) > slop;
    if (!held.ghost && far) {
      if (held.finger) return stop();
      start();
    }
    if (held.ghost) follow(event.clientX, event.clientY);
  });
  document.addEventListener("pointerup", () => {
    if (!held) return;
    const { ghost, cell } = held;
    const target = over;
    stop();
    if (!ghost) return;
    // The click that follows opens nothing.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (target) dropped(cell.dataset.move, target.dataset.slot);
  });
  document.addEventListener("pointercancel", stop);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && dragging()) stop();
  });
  document.addEventListener("touchmove", (event) => dragging() && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => held?.finger && event.preventDefault());
  document.addEventListener("dragstart", (event) => event.target.closest?.(".cell") && event.preventDefault());
}

function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}
