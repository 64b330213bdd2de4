// A slider and its number field show the same value; changing either asks for the answer.
"use strict";

document.addEventListener("input", (event) => {
  const other = event.isTrusted && document.getElementById(event.target.dataset.mirrors || "");
  if (!other) return;
  other.value = event.target.value;
  if (event.target.type === "range") other.dispatchEvent(new Event("input", { bubbles: true }));
});
