/* Paravent: the little that pages cannot do without a script. Everything else works without it. */
(() => {
  const all = (sel, root = document) => [...root.querySelectorAll(sel)];
  const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

  /* Theme: the system's, unless chosen here. */
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  addEventListener("click", (event) => {
    const toggle = event.target.closest("[data-theme-toggle]");
    if (toggle) {
      const dark = document.documentElement.dataset.theme
        ? document.documentElement.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = dark ? "light" : "dark";
      localStorage.setItem("theme", document.documentElement.dataset.theme);
    }
    const show = event.target.closest("[data-show]");
    if (show) panel(show.dataset.show);
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const field = document.getElementById(copy.dataset.copy);
      field.select();
      document.execCommand("copy");
    }
  });

  /* On a phone, one panel at a time. */
  const panel = (name) => {
    const panels = document.querySelector(".panels");
    if (!panels) return;
    panels.dataset.panel = name;
    all("[data-show]").forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.show === name)));
    document.querySelector(`.panel.${name}`)?.scrollIntoView({ block: "nearest" });
  };
  if (document.querySelector(".tabs")) panel("act");

  /* Every throw takes a grain of chance from this browser; every command an id, so that asking twice does it once. */
  addEventListener("submit", (event) => {
    const nonce = event.target.querySelector?.("[name=nonce]");
    if (nonce) nonce.value = random();
  }, true);
  const typed = (form) => all("input:not([type=hidden]):not([type=checkbox]), textarea", form);
  document.addEventListener("htmx:before:request", (event) => {
    const form = event.target.closest?.("form");
    if (!form) return;
    const id = form.querySelector("[name=id]");
    if (id) id.value = random();
    if (form.matches("[data-clear]")) typed(form).forEach((f) => { f.dataset.sent = f.value; f.value = ""; });
  });
  document.addEventListener("htmx:response:error", (event) => {
    const form = event.target.closest?.("form[data-clear]");
    if (form) typed(form).forEach((f) => { if (!f.value) f.value = f.dataset.sent || ""; });
  });
  const autoThrow = () => all("form[data-auto-throw]").forEach((form) => {
    if (!form.dataset.done) { form.dataset.done = "1"; form.requestSubmit(); }
  });
  document.addEventListener("htmx:after:swap", () => { autoThrow(); follow(); });
  document.addEventListener("htmx:after:sse:message", () => { autoThrow(); follow(); });

  /* An update never disturbs a hand: what is being typed or chosen stays. */
  window.htmx?.registerExtension?.("hands", {
    htmx_before_morph_attr: (elt, detail) => !(elt === document.activeElement && ["value", "selected", "checked"].includes(detail.attrName)),
  });

  /* The log follows what happens, unless somebody is reading further up. */
  let atEnd = true;
  const log = () => document.getElementById("log");
  document.addEventListener("scroll", (event) => {
    if (event.target === log()) atEnd = log().scrollTop + log().clientHeight > log().scrollHeight - 60;
  }, true);
  const follow = () => { if (atEnd && log()) log().scrollTop = log().scrollHeight; };
  addEventListener("load", follow);

  /* The line to the table. */
  const offline = (lost) => { const box = document.getElementById("offline"); if (box) box.hidden = !lost; };
  document.addEventListener("htmx:sse:error", () => offline(true));
  document.addEventListener("htmx:after:sse:connection", () => offline(false));
  document.addEventListener("htmx:after:sse:message", () => offline(false));
  addEventListener("offline", () => offline(true));

  /* Tables this device has sat at. */
  const known = () => { try { return JSON.parse(localStorage.getItem("tables") || "{}"); } catch { return {}; } };
  const live = document.getElementById("live");
  if (live?.dataset.link) {
    localStorage.setItem("tables", JSON.stringify({ ...known(), [live.dataset.link]: live.dataset.table }));
  }
  const yours = document.querySelector("[data-yours]");
  if (yours && Object.keys(known()).length) {
    for (const [link, name] of Object.entries(known())) {
      const a = document.createElement("a");
      a.href = link; a.textContent = name;
      const item = document.createElement("li");
      item.append(a);
      yours.append(item);
    }
    document.getElementById("yours").hidden = false;
  }

  /* Keys. */
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape" && typing) event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = { "/": "#say", a: "#h-act", f: "#h-sheets", j: "#h-log" }[event.key];
    if (event.key === "?") location.href = "/help";
    if (!go) return;
    const target = document.querySelector(go);
    if (!target) return;
    event.preventDefault();
    panel({ "/": "talk", a: "act", f: "sheets", j: "talk" }[event.key]);
    if (!target.matches("input")) target.tabIndex = -1;
    target.focus();
  });
})();
