// A message takes a while: asking for another one has to wait, and the page says how
// many seconds. The server has said them; until they are over the button rests.
const button = document.querySelector("[data-resend]");
const wait = document.querySelector("[data-wait]");
const end = performance.now() + Number(button?.dataset.resend) * 1000;

function tick() {
  const left = Math.ceil((end - performance.now()) / 1000);
  button.disabled = left > 0;
  wait.hidden = left <= 0;
  wait.querySelector("[data-seconds]").textContent = left;
  if (left > 0) setTimeout(tick, 250);
}

if (button && wait) tick();
