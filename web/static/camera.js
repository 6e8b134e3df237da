// Reads QR codes from the camera: with the browser's own reader where there is one,
// else with jsQR, which is fetched when it is first needed.

const pause = 110; // milliseconds between two looks
const widest = 720; // pixels; a larger picture takes longer and says no more
const kept = "courtd_camera"; // the lens that was chosen last, or "" for any

function recall() {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

function keep(lens) {
  try {
    if (lens === null) localStorage.removeItem(kept);
    else localStorage.setItem(kept, lens);
  } catch {
    // the next page asks again
  }
}

async function nativeReader() {
  if (!("BarcodeDetector" in window)) return null;
  try {
    if (!(await BarcodeDetector.getSupportedFormats()).includes("qr_code")) return null;
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? "";
  } catch {
    return null;
  }
}

let loading;

function load(address) {
  loading ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = () => {
      script.remove();
      loading = undefined;
      fail(new Error("reader"));
    };
    document.head.append(script);
  });
  return loading;
}

async function scriptReader(address) {
  await load(address);
  const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let looks = 0;
  return (video) => {
    const scale = Math.min(1, widest / Math.max(video.videoWidth, video.videoHeight));
    const width = Math.round(video.videoWidth * scale);
    const height = Math.round(video.videoHeight * scale);
    if (!width || !height) return "";
    if (paper.canvas.width !== width || paper.canvas.height !== height) Object.assign(paper.canvas, { width, height });
    paper.drawImage(video, 0, 0, width, height);
    // Codes in white on black are rare and take as long again.
    const inversionAttempts = looks++ % 4 ? "dontInvert" : "attemptBoth";
    return jsQR(paper.getImageData(0, 0, width, height).data, width, height, { inversionAttempts })?.data ?? "";
  };
}

/** What to tell somebody whose camera does not open. */
function trouble(error) {
  if (error.message === "reader") return "reader";
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotFoundError":
    case "OverconstrainedError":
      return "none";
  }
  return "busy";
}

/** Makes the camera's box work; every code that is seen goes to found, as often as it is seen. */
export function camera(box, found) {
  const part = (name) => box.querySelector(`[data-${name}]`);
  const video = box.querySelector("video");
  const lenses = box.querySelector("select");
  let stream; // while the camera is open
  let turn = 0; // counts openings and closings, so that an older one that comes late gives up
  let awake; // keeps the screen on
  let reader;

  function tell(word) {
    for (const p of box.querySelectorAll("[data-tell]")) p.hidden = p.dataset.tell !== word;
  }

  function state(name, word = name) {
    box.dataset.state = name;
    video.parentElement.hidden = name !== "on";
    part("open").hidden = name === "on" || name === "opening";
    part("close").hidden = name !== "on";
    tell(word);
  }

  function release() {
    turn += 1;
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = video.srcObject = null;
    part("torch").hidden = true;
    part("choice").hidden = true;
    awake?.release().catch(() => {});
    awake = null;
  }

  async function ask(lens) {
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
    const devices = navigator.mediaDevices;
    if (lens) {
      try {
        return await devices.getUserMedia({ audio: false, video: { ...size, deviceId: { exact: lens } } });
      } catch (error) {
        if (error.name !== "OverconstrainedError" && error.name !== "NotFoundError") throw error;
      }
    }
    return devices.getUserMedia({ audio: false, video: { ...size, facingMode: { ideal: "environment" } } });
  }

  async function open(lens) {
    release();
    const mine = turn;
    if (!navigator.mediaDevices?.getUserMedia) return state("failed", "insecure");
    state("opening");
    try {
      const got = await ask(lens);
      if (mine !== turn) return got.getTracks().forEach((track) => track.stop());
      stream = got;
      reader ??= (await nativeReader()) ?? (await scriptReader(box.dataset.reader));
      video.srcObject = got;
      video.parentElement.hidden = false; // some browsers play nothing that is hidden
      await video.play();
    } catch (error) {
      if (mine !== turn) return;
      release();
      return state("failed", trouble(error));
    }
    if (mine !== turn) return;
    state("on");
    look(mine);
    settle(mine).catch(() => {}); // it reads without a choice of lenses too
  }

  /** Offers what this camera can do besides. */
  async function settle(mine) {
    const [track] = stream.getVideoTracks();
    const lens = track.getSettings().deviceId ?? "";
    keep(lens);
    track.addEventListener("ended", () => mine === turn && (release(), state("failed", "busy")));
    part("torch").hidden = !track.getCapabilities?.().torch;
    part("torch").setAttribute("aria-pressed", "false");
    navigator.wakeLock?.request("screen").then((lock) => (mine === turn ? (awake = lock) : lock.release()), () => {});
    const all = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
    if (mine !== turn) return;
    lenses.replaceChildren(...all.map((device, i) => new Option(device.label || String(i + 1), device.deviceId, false, device.deviceId === lens)));
    part("choice").hidden = all.length < 2;
  }

  async function look(mine) {
    if (mine !== turn) return;
    try {
      const code = video.readyState >= 2 ? await reader(video) : "";
      if (mine !== turn) return;
      box.toggleAttribute("data-reading", code !== "");
      if (code) found(code);
    } catch {
      // A reader of the browser that fails is not asked again.
      try {
        reader = await scriptReader(box.dataset.reader);
      } catch (error) {
        if (mine !== turn) return;
        release();
        return state("failed", trouble(error));
      }
    }
    setTimeout(look, pause, mine);
  }

  part("open").addEventListener("click", () => open(recall()));
  part("close").addEventListener("click", () => {
    release();
    keep(null);
    state("off");
  });
  part("torch").addEventListener("click", async ({ currentTarget: button }) => {
    const on = button.getAttribute("aria-pressed") !== "true";
    try {
      await stream.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: on }] });
      button.setAttribute("aria-pressed", String(on));
    } catch {
      button.hidden = true; // it says it has one and has none
    }
  });
  lenses.addEventListener("change", () => open(lenses.value));

  // A page that nobody looks at does not hold the camera.
  let back = false;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      back = box.dataset.state === "on" || box.dataset.state === "opening";
      if (back) {
        release();
        state("off");
      }
    } else if (back) {
      back = false;
      open(recall());
    }
  });

  box.hidden = false;
  if (!navigator.mediaDevices?.getUserMedia) {
    state("failed", "insecure");
    part("open").hidden = true;
  } else if (recall() !== null) {
    // It was open last time: where nobody has to be asked, open it again.
    navigator.permissions?.query({ name: "camera" }).then((is) => is.state === "granted" && open(recall()), () => {});
  }
  return { tell: (word) => box.dataset.state === "on" && tell(word) };
}
