// Counts down to the server's deadline. What is true at zero the page's live part
// asks the server: a countdown decides nothing.
import { serverNow } from "./clock.js";

const two = (n) => String(n).padStart(2, "0");

function words(seconds) {
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3600 ? clock : `${Math.floor(seconds / 3600)}:${clock}`;
}

function draw() {
  for (const clock of document.querySelectorAll("[data-pay-by]")) {
    const left = Math.max(0, Number(clock.dataset.payBy) * 1000 - serverNow());
    const seconds = Math.ceil(left / 1000);
    const face = clock.querySelector("[data-face]");
    if (face) face.textContent = words(seconds);
    const bar = clock.querySelector("progress");
    if (bar) bar.value = Math.min(left / (Number(bar.dataset.whole) * 1000 || left || 1), 1);
    clock.classList.toggle("soon", seconds <= 60);
  }
}

function tick() {
  draw();
  setTimeout(tick, 1000 - (serverNow() % 1000) || 1000);
}

// A part that has just come starts where the clock is.
document.addEventListener("htmx:afterSwap", draw);
tick();
