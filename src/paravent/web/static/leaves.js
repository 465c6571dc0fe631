/* A game's own pages: maps that grow and are stepped over; on the table's page, a place to work in beside what is played. */
(() => {
  /* A map of a leaf: larger and smaller by button and key; arrows step from square to square. */
  const mapped = (root, was, from) => root.querySelectorAll("[data-leafmap]").forEach((map) => {
    const [svg, frame] = [map.querySelector("svg[data-map]"), map.querySelector(".scroll")];
    const whole = svg.viewBox.baseVal.width;
    let size = svg.getBoundingClientRect().width / frame.clientWidth;
    /* What one looks at stays where it is while the map grows. */
    const zoom = (to, at = [frame.clientWidth / 2, frame.clientHeight / 2]) => {
      const before = size;
      size = Math.min(4, Math.max(1, to));
      map.classList.add("sized");
      map.classList.toggle("zoomed", size > 1);
      map.dataset.size = size;
      svg.setAttribute("width", size > 1 ? frame.clientWidth * size : whole);
      frame.scrollLeft = (frame.scrollLeft + at[0]) * size / before - at[0];
      frame.scrollTop = (frame.scrollTop + at[1]) * size / before - at[1];
    };
    const centre = (square) => {
      const found = square && svg.querySelector(`[data-square="${square}"]`)?.getBoundingClientRect();
      const around = frame.getBoundingClientRect();
      const inside = found && found.x >= around.x && found.right <= around.right && found.y >= around.y && found.bottom <= around.bottom;
      if (found && !(from && inside)) frame.scrollBy(found.x + found.width / 2 - around.x - around.width / 2,
                                found.y + found.height / 2 - around.y - around.height / 2);
    };
    map.querySelector("[data-zoomers]").hidden = false;
    if (was) zoom(+was);
    if (from) frame.scrollTo(...from);
    centre(svg.dataset.chosen || !from && svg.dataset.here);
    from = null;
    map.addEventListener("click", (event) => {
      const how = event.target.dataset?.zoom;
      if (how === "here") {
        if (size < 2) zoom(2.4);
        centre(svg.dataset.here);
      } else if (how) zoom(how === "all" ? 1 : size * (how === "in" ? 1.5 : 1 / 1.5));
    });
    let pinched = 0;
    const apart = (two) => Math.hypot(two[0].clientX - two[1].clientX, two[0].clientY - two[1].clientY);
    frame.addEventListener("touchmove", (event) => {
      if (event.touches.length !== 2) return;
      const now = apart(event.touches), box = frame.getBoundingClientRect();
      if (pinched) zoom(size * now / pinched, [(event.touches[0].clientX + event.touches[1].clientX) / 2 - box.x,
                                               (event.touches[0].clientY + event.touches[1].clientY) / 2 - box.y]);
      pinched = now;
    }, { passive: true });
    frame.addEventListener("touchend", () => { pinched = 0; });
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      zoom(size * (event.deltaY < 0 ? 1.2 : 1 / 1.2), [event.clientX - box.x, event.clientY - box.y]);
    }, { passive: false });
    map.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      const at = event.target.closest?.("[data-square]")?.dataset.square;
      if ("+-0".includes(event.key)) zoom(event.key === "0" ? 1 : size * (event.key === "+" ? 1.5 : 1 / 1.5));
      if (!step || !at) return;
      event.preventDefault();
      const [x, y] = [+at.slice(0, 2), +at.slice(2)];
      const far = (other) => {
        const [dx, dy] = [+other.dataset.square.slice(0, 2) - x, +other.dataset.square.slice(2) - y];
        const along = dx * step[0] + dy * step[1];
        return along > 0 ? along + 2 * Math.abs(dx * step[1] + dy * step[0]) : Infinity;
      };
      const next = [...svg.querySelectorAll("[data-square]")].sort((one, other) => far(one) - far(other))[0];
      if (next && far(next) < Infinity) next.focus();
    });
  });
  mapped(document);

  /* What is opened on the table's page stays open, follows what happens, and is left by a button. */
  const place = document.getElementById("workplace");
  const shell = document.querySelector(".panels");
  if (!place || !shell) return;
  let [at, told, asked, going] = ["", "", 0, 0];
  const kept = (value) => {
    try {
      const key = `leaf ${location.pathname}`;
      return value === undefined ? sessionStorage.getItem(key) : sessionStorage.setItem(key, value);
    } catch {
      return null;
    }
  };
  const narrow = matchMedia("(max-width: 62rem)");
  const open = (on) => {
    place.parentElement.hidden = !on;
    shell.classList.toggle("worked", on);
    document.querySelectorAll(".leaflink").forEach((link) => link.toggleAttribute("aria-current", on && at.startsWith(link.href)));
  };
  /* Of the same map as before, what one looks at stays. */
  const charted = () => place.querySelector("[data-square]")?.getAttribute("href").split("&")[0];
  /* Whoever steps and chooses by keyboard goes on from the same square, the same arrow, the same button. */
  const resumed = () => {
    const held = place.contains(document.activeElement) && document.activeElement;
    const named = (one) => one.dataset?.square || one.dataset?.zoom || one.id || /^[←↑↓→]?/.exec(one.textContent.trim())[0] || one.textContent;
    const name = held && named(held);
    return () => {
      const chosen = place.querySelector("svg[data-map]")?.dataset.chosen;
      const next = [...place.querySelectorAll("a, button, select, summary")].find(
        (one) => held && one.tagName === held.tagName && named(one) === name);
      (next ?? (held && chosen ? place.querySelector(`[data-square="${chosen}"]`) : null))?.focus({ preventScroll: true });
    };
  };
  const drawn = (words, follows) => {
    const before = charted();
    const [frame, unfolded] = [place.querySelector(".leafmap .scroll"), [...place.querySelectorAll("details")].map((one) => one.open)];
    const [x, y, down] = [frame?.scrollLeft, frame?.scrollTop, place.scrollTop];
    const size = place.querySelector("[data-leafmap]")?.dataset.size;
    const again = resumed();
    place.innerHTML = told = words;
    window.htmx?.process(place);
    const stays = follows || (before && before === charted());
    mapped(place, stays && size, stays && frame && [x, y]);
    if (frame && follows) place.querySelector(".leafmap .scroll")?.scrollTo(x, y);
    again();
    if (!stays) return void (place.scrollTop = 0);
    place.querySelectorAll("details").forEach((one, n) => (one.open = unfolded[n] ?? one.open));
    place.scrollTop = down;
  };
  const shows = async (url, stays) => {
    const mine = ++asked;
    const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (mine !== asked || (!answer?.ok && stays)) return;
    if (!answer?.ok) return void location.assign(url); // the page says why
    const words = await answer.text();
    if (mine !== asked) return;
    at = url;
    kept(at);
    open(true); // first: what is out of sight has no size, and nothing in it a place
    if (!stays) {
      shell.dataset.panel = "leaf";
      document.querySelectorAll(".tabs [data-show]").forEach((tab) => tab.setAttribute("aria-pressed", "false"));
    }
    if (words !== told) drawn(words, stays);
    if (!stays && narrow.matches && /[?&]square=\d/.test(url)) place.querySelector("#square")?.scrollIntoView({ block: "center" });
  };
  /* What somebody asked for comes before what only follows: a touch on its way is not lost to it. */
  const goes = (url) => {
    going++;
    shows(url).finally(() => going--);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".leaflink, #workplace a");
    if (event.target.closest?.("[data-leaf-close]")) {
      [at, told] = ["", ""];
      asked++;
      kept("");
      open(false);
      if (shell.dataset.panel === "leaf") document.querySelector(".tabs [data-show=act]")?.click();
      place.replaceChildren();
    }
    if (!link || link.matches("[data-page]") || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(link.getAttribute("href"), location.href);
    if (!url.pathname.includes("/leaf/")) return;
    event.preventDefault();
    url.hash = "";
    goes(url.href);
  });
  const sought = (form, changed) => {
    const asks = new URLSearchParams(new FormData(form));
    if (changed === "map") asks.delete("square"); // of another map another square
    goes(`${form.action}?${asks}`);
  };
  place.addEventListener("submit", (event) => {
    if (!event.target.matches(".leafasks")) return;
    event.preventDefault();
    sought(event.target);
  });
  place.addEventListener("change", (event) => {
    if (event.target.matches(".leafasks select")) sought(event.target.form, event.target.name);
  });
  /* Whatever the table tells of sheets or of the hour may be on it: it is asked for again, once the hand is off it. */
  let soon;
  const later = (wait = 500) => {
    clearTimeout(soon);
    soon = setTimeout(() => {
      if (!at || document.hidden) return;
      if (going || place.querySelector("input:focus, select:focus")) later();
      else shows(at, true);
    }, wait);
  };
  place.addEventListener("htmx:after:request", () => later(50));
  const watch = new MutationObserver(() => at && place.querySelector("[data-live]") && later());
  for (const id of ["sheets", "clock"]) {
    const part = document.getElementById(id);
    if (part) watch.observe(part, { childList: true, subtree: true, characterData: true, attributeFilter: ["data-is", "data-drawn"] });
  }
  if (kept() && !narrow.matches) shows(kept(), true);
})();
