// Keeps the code field ready for the next scan: a scanner types wherever the
// cursor is. A ticket code read twice in a row is sent once.
const field = document.querySelector("input[name=code]");
const form = field?.form;

if (form) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent || field.value.trim() === "") event.preventDefault();
    else sent = true;
  });
  document.addEventListener("keydown", (event) => {
    const busy = document.activeElement && document.activeElement !== document.body;
    if (!busy && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) field.focus();
  });
  addEventListener("pageshow", () => {
    sent = false;
  });
}
