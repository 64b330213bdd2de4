/* What every page gains with JavaScript. Without it, every page still works. */
(() => {
  "use strict";

  const PHONE = "(max-width: 900px)";

  function closeSummaryOnPhone() {
    if (!window.matchMedia(PHONE).matches) return;
    document.querySelectorAll(".summary-more[open]").forEach((details) => details.removeAttribute("open"));
  }

  function keepSummaryAsItIs() {
    const summary = document.querySelector(".summary-more");
    if (!summary) return;
    const { open } = summary;
    document.addEventListener(
      "htmx:afterSwap",
      () => document.querySelector(".summary-more")?.toggleAttribute("open", open),
      { once: true },
    );
  }

  function askOnce(event) {
    const words = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (!words || window.confirm(words)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function sendOnce(event) {
    const form = event.target;
    const isSentOnChange = "submitOnChange" in form.dataset;
    if (!("once" in form.dataset || isSentOnChange) || event.defaultPrevented) return;
    // Another change counts; the button whose press left a field must not send the same again.
    if (form.dataset.sent && (event.submitter || !isSentOnChange)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.dataset.sent = "true";
    // After the browser has read the form: the pressed button's own value must be sent too.
    setTimeout(() => setButtons(form, true));
  }

  function allowAgain(form) {
    delete form.dataset.sent;
    setButtons(form, false);
  }

  function setButtons(form, isSent) {
    form.querySelectorAll("button[type=submit], button:not([type])").forEach((button) => {
      if (isSent) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    });
  }

  function sendOnChange(event) {
    const form = event.target.form;
    if (form && "submitOnChange" in form.dataset) form.requestSubmit();
  }

  function closeMenus(event) {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      const isOutside = event.type === "click" && !menu.contains(event.target);
      if (isOutside || event.key === "Escape") menu.removeAttribute("open");
    });
  }

  function tellProblem(words) {
    const place = document.getElementById("page-problem");
    place.className = "problem";
    place.textContent = words;
  }

  function forgetProblem() {
    const place = document.getElementById("page-problem");
    place.className = "";
    place.textContent = "";
  }

  document.documentElement.classList.add("js");
  closeSummaryOnPhone();
  document.querySelector(".form-errors")?.focus();

  document.addEventListener("submit", askOnce, true);
  document.addEventListener("submit", sendOnce, true);
  document.addEventListener("change", sendOnChange);
  document.addEventListener("click", closeMenus);
  document.addEventListener("click", (event) => event.target.closest("[data-print]") && window.print());
  document.addEventListener("keydown", closeMenus);
  document.addEventListener("htmx:beforeSwap", keepSummaryAsItIs);
  window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach(allowAgain));
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.target.matches?.("form[data-sent]")) allowAgain(event.target);
    if (event.detail.successful) forgetProblem();
  });
  document.addEventListener("htmx:sendError", () =>
    tellProblem("The server did not answer. What you typed is still here; try again in a moment."),
  );
  document.addEventListener("htmx:responseError", (event) =>
    tellProblem(
      event.detail.xhr.status === 403
        ? "You are not allowed to do this, or your sign-in has ended. Sign in again in another tab, then try again."
        : "That did not work. What you typed is still here; try again in a moment.",
    ),
  );
})();
