// Counts down to the server's deadline. What is true at zero the page's live part
// asks the server: a countdown decides nothing.
import { serverNow } from "./clock.js";

function draw() {
  for (const clock of document.querySelectorAll("[data-pay-by]")) {
    const left = Math.max(0, Number(clock.dataset.payBy) * 1000 - serverNow());
    const seconds = Math.ceil(left / 1000);
    const mm = String(Math.floor(seconds / 60)).padStart(2, "0");
    const ss = String(seconds % 60).padStart(2, "0");
    clock.querySelector("[data-face]").textContent = `${mm}:${ss}`;
    const bar = clock.querySelector("progress");
    if (bar) bar.value = left / (Number(bar.dataset.whole) * 1000 || left || 1);
    clock.classList.toggle("soon", seconds <= 60);
  }
  setTimeout(draw, 1000 - (serverNow() % 1000) || 1000);
}

draw();
