// The scanner: codes come from the camera, from a scanner that types, or by hand, all
// at once. Every reading has a nonce of its own; what is sent again because no answer
// came keeps its nonce, so that the server judges it once.
import { camera } from "./camera.js";
import { refresh } from "./live.js";
import { mute, muted, tell, wake } from "./tone.js";

const patience = 12_000; // milliseconds to wait for an answer
const sameCode = 5_000; // a code that stays before the camera is one reading
const stays = { yes: 4_000, no: 8_000 }; // milliseconds an answer is shown
const remembered = 6;

const form = document.querySelector("form[data-scan]");
const field = form.elements.code;
const place = document.getElementById("answer");
const open = document.querySelector("[data-open-scans]");
const recent = document.querySelector("[data-recent]");

const unanswered = new Map(); // the nonces of codes that were sent and have no answer yet
const judging = new Set();
let line = Promise.resolve(); // codes are sent one after another

function newNonce() {
  // randomUUID is for encrypted pages only; a counter's own network may have none.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the server takes a code for: spaces, hyphens and small letters count for nothing. */
const plain = (code) => code.replace(/[\s-]/g, "").toUpperCase();

function scan(text) {
  const code = plain(text);
  if (!code || judging.has(code)) return;
  judging.add(code);
  hide();
  line = line.then(() => judge(code)).finally(() => judging.delete(code));
}

async function judge(code) {
  const nonce = unanswered.get(code) ?? newNonce();
  unanswered.set(code, nonce);
  form.querySelector("[data-judging]").hidden = false;
  let answer;
  try {
    answer = await ask(code, nonce);
  } catch (error) {
    tell(false);
    showOpen(error.message);
    return;
  } finally {
    form.querySelector("[data-judging]").hidden = true;
  }
  unanswered.delete(code);
  showOpen();
  show(answer);
  const count = document.getElementById("scan-count");
  if (count) refresh(count);
}

/** The server's answer as an element; else an error whose message is the word for it. */
async function ask(code, nonce) {
  let sent;
  let text;
  try {
    sent = await fetch(form.action, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams({ csrf: form.elements.csrf.value, code, nonce }),
      signal: AbortSignal.timeout(patience),
      cache: "no-store",
    });
    text = await sent.text();
  } catch {
    throw new Error("offline");
  }
  if (sent.redirected || sent.status === 403) throw new Error("expired");
  const answer = new DOMParser().parseFromString(text, "text/html").querySelector(".answer");
  if (!answer || !(sent.ok || sent.status === 422)) throw new Error("trouble");
  return answer;
}

let timer;

/** Fills the window with an answer until its time is over or somebody does something. */
function show(answer) {
  place.replaceChildren(answer);
  place.classList.add("over");
  const yes = answer.classList.contains("yes");
  tell(yes);
  note(answer, yes);
  clearTimeout(timer);
  timer = setTimeout(hide, yes ? stays.yes : stays.no);
}

function hide() {
  clearTimeout(timer);
  place.classList.remove("over");
  place.replaceChildren();
}

/** Keeps the last answers below, for a second look. */
function note(answer, yes) {
  const text = (css) => answer.querySelector(css)?.textContent ?? "";
  const item = document.createElement("li");
  item.className = yes ? "yes" : "no";
  const mark = Object.assign(document.createElement("b"), { textContent: text(".mark") });
  const says = document.createElement("span");
  says.append(Object.assign(document.createElement("b"), { textContent: text(".words") }));
  for (const more of [text(".why"), text(".who")].filter(Boolean)) says.append(" · " + more);
  const order = answer.querySelector("[data-order]")?.cloneNode(true);
  if (order) says.append(" · ", order);
  const at = Object.assign(document.createElement("span"), { className: "num hint", textContent: answer.dataset.at ?? "" });
  item.append(mark, says, at);
  const list = recent.querySelector("ol");
  list.prepend(item);
  while (list.children.length > remembered) list.lastElementChild.remove();
  recent.hidden = false;
}

/** Says which codes have had no answer, and why the last of them has none. */
function showOpen(word) {
  const codes = [...unanswered.keys()].filter((code) => !judging.has(code) || word);
  open.hidden = codes.length === 0;
  open.querySelector("[data-code]").textContent = codes.join("  ");
  if (!word) return;
  for (const p of open.querySelectorAll("[data-tell]")) p.hidden = p.dataset.tell !== word;
}

open.querySelector("[data-retry]").addEventListener("click", () => [...unanswered.keys()].forEach(scan));
open.querySelector("[data-forget]").addEventListener("click", () => {
  unanswered.clear();
  showOpen();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value;
  field.value = "";
  if (text.trim()) scan(text);
  ready();
});

// A scanner types wherever the cursor is, so that it belongs into the field. Where
// fingers are all there is, the field would bring up a keyboard over the camera.
const typed = !matchMedia("(any-pointer: coarse)").matches || matchMedia("(any-pointer: fine)").matches;

function ready() {
  if (typed) field.focus({ preventScroll: true });
}

const elsewhere = (target) => target !== field && target.closest?.("input, select, textarea");

// With a Chinese input method on, a scanner's letters go to that and not to the field;
// the keys themselves still say what was typed.
let keys = "";
let composed = false;

function spell(event) {
  const key = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[1];
  if (key) {
    if (event.isComposing || event.key === "Process") composed = true;
    keys += key;
  } else if (event.code === "Enter" || event.code === "NumpadEnter") {
    const code = keys;
    const lost = composed;
    keys = "";
    composed = false;
    if (lost && code.length >= 20) {
      event.preventDefault();
      field.blur(); // ends what the input method has begun
      field.value = "";
      scan(code);
      setTimeout(() => {
        field.value = "";
        ready();
      });
      return true;
    }
  } else if (event.key !== "Shift" && event.key !== "Process") {
    keys = "";
    composed = false;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  wake();
  if (event.ctrlKey || event.metaKey || event.altKey || elsewhere(event.target)) return;
  if (spell(event)) return;
  const shown = place.classList.contains("over");
  if (shown && !["Shift", "CapsLock"].includes(event.key) && !place.contains(event.target)) {
    hide();
    if (event.key === "Escape" || (event.key === "Enter" && field.value === "")) event.preventDefault();
  }
  if (event.target !== field && event.key.length === 1 && event.key !== " ") field.focus();
});

document.addEventListener("pointerdown", wake);
place.addEventListener("click", (event) => {
  if (event.target.closest("[data-order]")) return;
  event.preventDefault();
  hide();
  ready();
});

let last = { code: "", at: -Infinity };
const box = document.getElementById("camera");
const lens = camera(box, (text) => {
  const code = plain(text);
  const before = last;
  last = { code, at: performance.now() };
  if (code === before.code && last.at - before.at < sameCode) {
    if (!place.classList.contains("over") && !judging.has(code)) lens.tell("again");
    return;
  }
  lens.tell("on");
  scan(code);
});
box.addEventListener("click", (event) => {
  if (event.target.closest("button")) ready();
});
box.addEventListener("change", ready);

const sound = document.querySelector("[data-mute]");

function showSound() {
  sound.setAttribute("aria-pressed", String(muted()));
  sound.querySelector("[data-loud]").hidden = muted();
  sound.querySelector("[data-quiet]").hidden = !muted();
}

sound.hidden = false;
sound.addEventListener("click", () => {
  mute(!muted());
  showSound();
  ready();
});
showSound();

// The answer of a form that was sent before this script was there.
if (place.firstElementChild) show(place.firstElementChild);
if (!typed) field.blur();
