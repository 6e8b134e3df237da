// Whoever goes by keyboard keeps their place when a part of the page is replaced: on
// the same thing, else at the head of the part. htmx itself knows what has an id only.
const stops = "a[href], button, input:not([type=hidden]), select, textarea, summary";
const lost = () => !document.activeElement || document.activeElement === document.body;

/** What an element is, whether or not it is drawn anew. */
const told = (element) =>
  [element.tagName, element.getAttribute("href"), element.name, element.type, element.form?.getAttribute("action"), element.textContent.trim()].join("|");

/** Notes what in a part has the focus and gives what brings it back to the new part. */
export function keepFocus(part) {
  const element = document.activeElement;
  if (!part.contains(element)) return () => {};
  const { id } = part;
  const what = told(element);
  return () => {
    const fresh = document.getElementById(id);
    if (!fresh || !lost()) return;
    let stop = [...fresh.querySelectorAll(stops)].find((other) => told(other) === what);
    if (!stop) {
      stop = fresh.querySelector("h1, h2, h3") ?? fresh;
      stop.tabIndex = -1;
    }
    stop.focus({ preventScroll: true });
  };
}
