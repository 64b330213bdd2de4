/* The composer while its parts are exchanged: what stands open stays open, what is being typed is not lost. */
(() => {
  "use strict";

  const parts = () => document.getElementById("compose-parts");
  let kept = null;
  let changes = 0;

  function keep(event) {
    if (event.detail.target.id !== "compose-parts") return;
    const typed = document.activeElement;
    kept = {
      open: new Map([...parts().querySelectorAll("details[id]")].map((details) => [details.id, details.open])),
      typed: typed?.matches(".category-search") ? { id: typed.id, value: typed.value } : null,
    };
  }

  function restore() {
    if (!kept) return;
    kept.open.forEach((open, id) => {
      const details = document.getElementById(id);
      // What the server opens, because something in it is wrong, stays open too.
      if (details && open) details.open = true;
    });
    const search = kept.typed && document.getElementById(kept.typed.id);
    if (search && search.value !== kept.typed.value) {
      search.value = kept.typed.value;
      search.dispatchEvent(new Event("input", { bubbles: true }));
    }
    kept = null;
    showUndo();
  }

  function showUndo() {
    const undo = document.querySelector("[data-undo]");
    if (undo) undo.hidden = changes === 0;
  }

  function openTarget(event) {
    const link = event.target.closest?.("a[href^='#']");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) return;
    for (let details = target.closest("details"); details; details = details.parentElement.closest("details")) {
      details.open = true;
    }
    (target.matches("input, select") ? target : target.querySelector("input:not([type=hidden]), select, summary"))?.focus();
  }

  function search(event) {
    if (event.target.matches(".category-search")) event.target.form.dispatchEvent(new Event("searched"));
  }

  document.addEventListener("input", search);
  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSwap", restore);
  document.addEventListener("htmx:pushedIntoHistory", () => {
    changes += 1;
    showUndo();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-undo]")) window.history.back();
    else openTarget(event);
  });
})();
