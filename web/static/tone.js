// Two tones that cannot be taken for each other: up and clear for yes, low and twice
// for no. Browsers let a page sound only after somebody has touched it.

const kept = "courtd_mute";
let speaker;
let quiet = read();

function read() {
  try {
    return localStorage.getItem(kept) === "1";
  } catch {
    return false; // a browser that keeps nothing
  }
}

/** Whether the tones are off. */
export function muted() {
  return quiet;
}

/** Turns the tones off or on, also for the next time. */
export function mute(off) {
  quiet = off;
  try {
    localStorage.setItem(kept, off ? "1" : "0");
  } catch {
    // then it holds for this page
  }
}

/** To be called when somebody touches the page or presses a key. */
export function wake() {
  speaker ??= new AudioContext();
  if (speaker.state === "suspended") speaker.resume().catch(() => {});
}

function note(shape, pitch, from, length) {
  const source = speaker.createOscillator();
  const volume = speaker.createGain();
  const start = speaker.currentTime + from;
  source.type = shape;
  source.frequency.value = pitch;
  // Faded in and out: a tone that is cut off clicks.
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.25, start + 0.015);
  volume.gain.setValueAtTime(0.25, start + length - 0.04);
  volume.gain.linearRampToValueAtTime(0, start + length);
  source.connect(volume).connect(speaker.destination);
  source.start(start);
  source.stop(start + length);
}

/** Sounds and shakes the answer to a scan. */
export function tell(yes) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(yes ? 90 : [160, 80, 160]);
  if (quiet || speaker?.state !== "running") return;
  if (yes) {
    note("sine", 880, 0, 0.13);
    note("sine", 1320, 0.12, 0.24);
  } else {
    note("square", 196, 0, 0.22);
    note("square", 165, 0.3, 0.34);
  }
}
