// The ways to go are more than a phone is wide: the one that is open comes into view.
for (const link of document.querySelectorAll(".top nav [aria-current=page]")) {
  link.scrollIntoView({ block: "nearest", inline: "center" });
}
