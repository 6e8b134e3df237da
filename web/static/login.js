// A message takes a while: asking for another one has to wait, and says how long.
const button = document.querySelector("[data-resend]");
const seconds = button?.querySelector("[data-seconds]");
const end = performance.now() + Number(button?.dataset.resend) * 1000;

function tick() {
  const left = Math.ceil((end - performance.now()) / 1000);
  button.disabled = left > 0;
  seconds.textContent = left > 0 ? ` (${left})` : "";
  if (left > 0) setTimeout(tick, 250);
}

if (button) tick();
