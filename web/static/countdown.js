// Counts down to the server's deadline and loads the page anew when it is reached.
import { serverNow, hasSlept } from "./clock.js";

const clock = document.querySelector("[data-pay-by]");

if (clock) {
  const payBy = Number(clock.dataset.payBy) * 1000;
  const face = clock.querySelector("[data-face]");
  const total = Math.max(1, payBy - serverNow());
  const bar = clock.querySelector("progress");
  let reloading = false;

  const reload = () => {
    if (reloading) return;
    reloading = true;
    // Without the form that led here, so that nothing is sent twice.
    location.replace(location.href.split("#")[0]);
  };

  const draw = () => {
    const left = Math.max(0, payBy - serverNow());
    const seconds = Math.ceil(left / 1000);
    const mm = String(Math.floor(seconds / 60)).padStart(2, "0");
    const ss = String(seconds % 60).padStart(2, "0");
    face.textContent = `${mm}:${ss}`;
    if (bar) bar.value = left / total;
    clock.classList.toggle("soon", seconds <= 60);
    if (left > 0) setTimeout(draw, left % 1000 || 1000);
    else setTimeout(reload, 200);
  };

  if (payBy > serverNow()) draw();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && hasSlept()) reload();
  });
}
