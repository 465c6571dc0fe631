/* Paravent: the little that pages cannot do without a script. Everything else works without it. */
(() => {
  const EXPLAINS = ".ask, [data-explain]";
  const all = (sel, root = document) => [...root.querySelectorAll(sel)];
  const byId = (id) => document.getElementById(id);
  const kept = (key, value) => {
    try {
      return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
    } catch {
      return null;
    }
  };
  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  const fire = (elt, ...names) => names.forEach((name) => elt.dispatchEvent(new Event(name, { bubbles: true })));

  let wrote; // where somebody was last about to write
  addEventListener("focusin", (event) => (wrote = event.target.dataset?.writes ? wrote : event.target.id));
  addEventListener("click", (event) => {
    const on = (sel) => event.target.closest(sel);
    if (on("[data-theme-toggle]")) {
      const root = document.documentElement;
      const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      kept("theme", root.dataset.theme);
    }
    const show = on("[data-show]");
    if (show) panel(show.dataset.show);
    const copy = on("[data-copy]");
    if (copy) {
      byId(copy.dataset.copy).select();
      if (document.execCommand("copy")) copy.textContent = copy.dataset.copied;
    }
    if (on("[data-help]") && byId("help")) {
      event.preventDefault();
      byId("help").showModal();
    }
    if (on("[data-print]")) print();
    if (on("[data-back]")) history.back();
    if (on("[data-dismiss]")) byId("starting") ? dismissed() : history.back();
    if (on("[data-next]")) turn(1);
    const brings = on("[data-brings]");
    if (brings) {
      event.preventDefault();
      bringUp(byId(brings.dataset.brings));
    }
    const seals = on("[data-seals] button");
    if (seals) {
      event.preventDefault(); // as each is filled in, saved or not
      all(`.fill-${seals.form.dataset.seals}.sealing`).forEach((form) => form.closest(".again") || form.requestSubmit());
    }
    const seal = on(".asked button, .sealing button");
    if (seal) follows[seal.matches("[data-follows]") ? "add" : "delete"](seal.form?.elements.number?.value);
    const bar = on(".asked [form]");
    if (bar) panel("act"); // what it sends may have something to say
    if (on("[data-sound]")) sound(kept("sound") !== "on");
    all(".tool[open]").forEach((tool) => tool.contains(event.target) || (tool.open = false));
    const step = on("[data-step]");
    if (step) {
      const field = step.parentElement.querySelector("input");
      const now = Number(field.value || field.placeholder || 0) || 0;
      const bound = (n, edge, pick) => (edge === "" ? n : pick(n, Number(edge)));
      field.value = bound(bound(now + Number(step.dataset.step), field.min, Math.max), field.max, Math.min);
      fire(field, "input", "change");
    }
    const idea = on("[data-writes]");
    if (idea) {
      const cells = all(`[data-ideas="${idea.dataset.writes}"]`);
      const cell = cells.find((one) => one.id === wrote) ?? cells.find((one) => !one.value) ?? cells[0];
      cell.value = idea.value;
      fire(cell, "input", "change");
    }
    const tap = on("[data-face]");
    if (tap) {
      const form = tap.closest("form");
      const field = form.querySelector("[name=faces]");
      const faces = field.value.split(/[ ,]+/).filter(Boolean);
      if (tap.dataset.face && faces.length < Number(form.dataset.faces)) faces.push(tap.dataset.face);
      if (!tap.dataset.face) faces.pop();
      field.value = faces.join(" ");
      if (faces.length === Number(form.dataset.faces)) document.querySelector(`[form=${form.id}]`)?.focus();
    }
    const limb = on("[data-limb]");
    if (limb) limb.closest(".bodymap").querySelector(`[data-part="${limb.dataset.limb}"]`)?.click();
    const why = on(EXPLAINS);
    if (why && byId("explain")) {
      event.preventDefault();
      explain(why);
    }
  });

  /* The bar: one thing at a time; the others are a tap away. */
  let turned = null;
  const turn = (by = 0) => {
    const asked = all("#yours > .asked");
    const now = asked.findIndex((one) => one.id === turned);
    const at = (Math.max(now, 0) + by) % Math.max(asked.length, 1);
    asked.forEach((one, n) => one.toggleAttribute("data-off", n !== at));
    turned = asked[at]?.id ?? null;
    const told = document.querySelector("#yours [data-at]");
    if (told) told.textContent = at + 1;
    if (by && asked[at]) byId(asked[at].dataset.card)?.scrollIntoView({ block: "nearest" });
  };
  /* Something on a card that the bar speaks of comes into view, and takes the keyboard. */
  const bringUp = (what) => {
    if (!what) return;
    panel(what.closest(".panel.sheets") ? "sheets" : "act");
    for (let fold = what.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    what.scrollIntoView({ block: "center" });
    const field = what.matches("input, select, textarea") ? what : what.querySelector("input:not([type=hidden]), select, textarea");
    (field ?? what).focus({ preventScroll: true });
  };
  /* What a hand holds stays where it is, whatever comes or goes above: what cannot be scrolled is left free below the
     last result, as long as there is a hand. */
  const TYPED = "input:not([type=radio]):not([type=checkbox]), textarea";
  let grip = null;
  document.addEventListener("htmx:before:swap", () => {
    const held = document.querySelector("#stage :is(input, select, textarea):focus");
    grip = held && [held, held.getBoundingClientRect().top];
  });
  const keepsHold = () => {
    const above = byId("pinned")?.style;
    const [held, stood] = grip ?? [];
    grip = null;
    if (!above) return;
    if (!held) above.paddingBottom = "";
    if (!held || held !== document.activeElement) return;
    const off = () => Math.round(held.getBoundingClientRect().top - stood);
    byId("stage").scrollTop += off();
    for (let n = 0; n < 2; n++) if (off()) above.paddingBottom = `${parseFloat(above.paddingBottom || 0) - off()}px`;
  };
  /* What newly waits for this seat comes into view with its form, and so does a new board, unless a hand is busy elsewhere. */
  let called = null,
    laid = null;
  const awaited = () => {
    const now = document.querySelector("#yours.mine > .asked:not([data-off])");
    const boards = all("#encounters > .encounter").map((board) => board.id);
    const board = laid && boards.find((id) => !laid.includes(id));
    const card = (now && now.id !== called && byId(now.dataset.card)) || (board && byId(board));
    [called, laid] = [now?.id ?? null, boards];
    const busy = document.querySelector("dialog[open], #stage :is(input, select, textarea):focus, #stage :active");
    if (!card || !byId("stage") || (busy && (!card.contains(busy) || busy.matches(TYPED)))) return;
    const [seen, lies] = [byId("stage").getBoundingClientRect(), card.getBoundingClientRect()];
    if (lies.top < seen.top || lies.bottom > seen.bottom) card.scrollIntoView({ block: lies.height < seen.height ? "nearest" : "start" });
  };
  /* Above a board or an act that goes on the last result does not stay in sight by itself: a new one is brought up. */
  const pinned = () => document.querySelector("#pinned > article")?.id;
  let result = pinned();
  const newResult = () => {
    if (result === (result = pinned()) || document.querySelector(".panels")?.dataset.panel !== "act") return;
    const busy = document.querySelector("dialog[open], #stage .move.mine.open, #stage :is(input, select, textarea):focus");
    if (result && !busy && document.querySelector("#stage :is(.encounter, .move.open)")) byId("stage").scrollTop = 0;
  };
  const dismissed = () => {
    byId("starting").close?.();
    byId("starting").replaceChildren();
  };
  byId("starting")?.addEventListener("close", () => byId("starting").replaceChildren());

  /* Nobody is their own opponent: whoever is chosen to act is not offered in a role for somebody else. */
  const somebodyElse = (form) => {
    const acts = new Set([...form.querySelectorAll("select[data-acts] option:checked, [data-acts] :checked")].map((one) => one.value));
    form.querySelectorAll("[data-other] :is(option, input, button)").forEach((one) => {
      one.disabled = (one.closest("label") ?? one).hidden = one.value !== "" && acts.has(one.value);
      if (one.disabled) one.selected = one.checked = false;
    });
  };
  document.addEventListener("change", ({ target }) => target.closest?.("[data-acts]") && somebodyElse(target.form));

  /* So many may be chosen together: once they are, another waits until one is given up. */
  document.addEventListener("change", ({ target }) => {
    const few = target.closest?.("[data-few]");
    const on = few?.querySelectorAll(":checked").length;
    few?.querySelectorAll("[type=checkbox]:not(:checked)").forEach((one) => (one.disabled = on >= few.dataset.few));
  });

  /* What a word means: on hover, focus or tap, from the game's own rules. */
  let pointed;
  const explain = async (link) => {
    const box = byId("explain");
    pointed = link;
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    if (!answer.ok || pointed !== link) return;
    box.innerHTML = await answer.text();
    box.style.left = box.style.top = "0"; // as wide as the window leaves it, wherever it stood before
    box.showPopover?.();
    const at = link.getBoundingClientRect(),
      mine = box.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - mine.width - 8))}px`;
    box.style.top = `${at.bottom + 6 + mine.height > innerHeight ? Math.max(8, at.top - mine.height - 6) : at.bottom + 6}px`;
  };
  let hovering;
  const hover = (event) => {
    const link = event.target.closest?.(EXPLAINS);
    clearTimeout(hovering);
    if (link && byId("explain") && !matchMedia("(hover: none)").matches)
      hovering = setTimeout(() => explain(link), 350);
  };
  document.addEventListener("mouseover", hover);
  document.addEventListener("mouseout", (event) => {
    if (event.target.closest?.(EXPLAINS) && !byId("explain")?.matches(":hover")) {
      clearTimeout(hovering);
      pointed = null;
      byId("explain")?.hidePopover?.();
    }
  });

  /* What is fetched only when it is unfolded; what has changed since is fetched again, for as long as it is unfolded. */
  const fetchAgain = () =>
    all("details[open] > .fetched").forEach((part) => {
      if (part.fetched === part.dataset.drawn) return;
      part.fetched = part.dataset.drawn;
      fire(part, "wanted");
    });
  document.addEventListener("toggle", fetchAgain, true);
  ["htmx:error", "htmx:response:error"].forEach((failed) =>
    document.addEventListener(failed, ({ target }) => delete target.fetched),
  );

  /* Of very many options, those whose words hold what is typed. */
  const plain = (words) => words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const sift = () => {
    const sought = plain(byId("sift").value).trim();
    all(byId("sift").dataset.sift).forEach((one) => (one.hidden = !plain(one.textContent).includes(sought)));
  };
  document.addEventListener("input", ({ target }) => target.id === "sift" && sift());
  /* An idea that is taken brings along what goes with it in its row. */
  document.addEventListener("input", ({ target }) => {
    const idea = [...(target.list?.options ?? [])].find((one) => one.value === target.value && one.dataset.fills);
    new URLSearchParams(idea?.dataset.fills ?? "").forEach((value, name) => {
      const beside = target.closest("tr")?.querySelector(`[name$=":${name}"]`);
      if (beside) beside.value = value;
    });
  });
  /* Enter takes what was found first; in a sentence it says it, as in a line, and a new line is begun beside Shift. */
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const sentence = target.matches?.("textarea[rows='1']");
    if ((target.id !== "find" && !sentence) || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!sentence) return document.querySelector("#found .begin, #suggested .begin")?.click();
    const send = [...target.form.elements].find((one) => one.type === "submit");
    send ? target.form.requestSubmit(send) : target.blur();
  });
  document.addEventListener("input", ({ target }) => {
    if (target.id === "find" && !target.value.trim()) byId("found").replaceChildren();
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (event.target.matches?.(".find") && !byId("find").value.trim()) event.preventDefault();
  });

  /* On a phone, one panel at a time, each where it was left. */
  const left = {};
  const panel = (name) => {
    const panels = document.querySelector(".panels");
    if (!panels) return;
    const before = panels.dataset.panel,
      stage = byId("stage");
    if (stage) left[before] = stage.scrollTop;
    panels.dataset.panel = name;
    if (stage && before !== name && matchMedia("(max-width: 62rem)").matches) stage.scrollTop = left[name] ?? 0;
    all(".tabs [data-show]").forEach((b) => {
      b.setAttribute("aria-pressed", String(b.dataset.show === name));
      if (b.dataset.show === name) b.classList.remove("new");
    });
    if (name === "talk") follow();
  };
  const shown = (name) => !document.querySelector(".tabs") || document.querySelector(".panels").dataset.panel === name;
  const nudge = (name) => {
    if (!shown(name)) document.querySelector(`.tabs [data-show=${name}]`)?.classList.add("new");
  };

  /* Whether this page has spoken: free dice are thrown by the page that asked for them, not by the seat's others. */
  let speaking = false;
  /* A click that was meant once and came twice asks once. */
  const TWICE = 400;
  let sent = {};
  const twice = ({ target: form, submitter, timeStamp: at }) => {
    const said = new FormData(form, submitter);
    ["once", "nonce"].forEach((name) => said.delete(name));
    const before = sent;
    sent = { what: form.action + new URLSearchParams(said), at };
    return sent.what === before.what && at - before.at < TWICE;
  };
  /* What was just filled in is saved before the dice of its act are thrown: a throw waits for it while it is on its way. */
  const filled = new Map(),
    posted = new Map(),
    underway = new Set();
  let lately = 0; // when a save last came back
  const isFill = (form) => form instanceof HTMLFormElement && form.matches('.fill[id][hx-trigger*="change"]');
  document.addEventListener("change", ({ target }) => isFill(target.form) && filled.set(target.form.id, performance.now()), true);
  document.addEventListener("htmx:before:request", ({ target }) => {
    if (isFill(target)) posted.set(target.id, filled.get(target.id)), underway.add(target.id);
  });
  document.addEventListener("htmx:finally:request", ({ target }) => {
    if (underway.delete(target.id)) lately = performance.now();
    if (isFill(target) && filled.get(target.id) === posted.get(target.id)) filled.delete(target.id);
  });
  const waitsFor = (number) => [...filled.keys()].some((id) => byId(id)?.elements.number?.value === number);
  const throwing = async ({ action, elements }) => {
    const number = elements.number.value,
      typed = !!elements.by_hand,
      began = performance.now();
    const until = () => Math.max(began, lately) + (underway.size ? 10000 : 2000);
    /* What was saved may have drawn the form anew. */
    const again = () => all("form").find(
      (form) => form.action === action && form.elements.number?.value === number && !!form.elements.by_hand === typed,
    );
    while ((waitsFor(number) || !again()) && performance.now() < until()) await new Promise((done) => setTimeout(done, 25));
    filled.clear();
    again()?.requestSubmit();
  };
  /* Acts whose dice were ordered along with a seal: they are thrown once all lies open, and while they fall, nobody is
     asked to throw them. */
  const follows = new Set(),
    falling = new Set();
  const throwOf = (number) =>
    all('.asked form[action$="/do/throw"]').find((form) => form.elements.number?.value === number && !form.elements.by_hand);
  const holdsBack = (number, on) => throwOf(number)?.querySelectorAll(".roll").forEach((button) => (button.disabled = on));
  const fell = (number) => falling.delete(number) && holdsBack(number, false);
  const thrownNext = () => {
    follows.forEach((number) => {
      if (!throwOf(number)) return;
      follows.delete(number);
      falling.add(number);
      setTimeout(fell, 4000, number);
      throwOf(number).requestSubmit();
    });
    falling.forEach((number) => holdsBack(number, true));
  };
  const failed = ({ target }) => fell(target.elements?.number?.value);
  document.addEventListener("htmx:response:error", failed);
  document.addEventListener("htmx:error", failed);
  const overtakes = (form) => form.action?.endsWith?.("/do/throw") && waitsFor(form.elements.number?.value);
  /* Every throw takes a grain of chance from this browser; every command an id, so that asking twice does it once. */
  addEventListener(
    "submit",
    (event) => {
      if (overtakes(event.target)) {
        event.preventDefault();
        event.stopPropagation();
        throwing(event.target);
        return;
      }
      if (event.target.method === "post" && !window.grains?.resending && twice(event)) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const nonce = event.target.querySelector?.("[name=nonce]");
      if (nonce) nonce.value = window.grains?.given?.(event.target.elements.number?.value) ?? random();
      if (event.target.querySelector?.("[name=at_once]")) window.grains?.begins?.();
      const said = event.target.matches?.(".say") && event.target.querySelector("[name=text]");
      if (said) speaking = /^([/!]\w|\d*d[\d%])/i.test(said.value.trim());
      if (event.target.querySelector?.("[name=command]")) speaking = true;
      if (said && byId("help") && /^\/(aide|help|\?)$/.test(said.value.trim())) {
        event.preventDefault();
        event.stopPropagation();
        said.value = "";
        byId("help").showModal();
      }
      if (event.target.dataset?.sure && !confirm(event.target.dataset.sure)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );
  /* The cards that lay there when a form that begins a move was sent: the new one is brought into sight. */
  let lying = null;
  const cards = () => all("article.move:not(.over)");
  const typed = (form) => all("input:not([type=hidden]):not([type=checkbox]):not([type=radio]), textarea", form);
  /* Where no tick means everybody, whom the last one was for stays ticked: the next whisper is not for all. */
  const ticked = (form) => (form.dataset.clear === "typed" ? [] : all("[type=checkbox], [type=radio]", form));
  /* What this page asks for is done in the order it was asked: a throw never overtakes what makes it secret. */
  let asked = Promise.resolve();
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (!/\/do\//.test(ctx.request.action)) return;
    const { fetch } = ctx,
      before = asked;
    ctx.fetch = (...what) => {
      const answer = before.then(() => fetch(...what));
      asked = answer.catch(() => {});
      return answer;
    };
  });
  document.addEventListener("htmx:before:request", (event) => {
    const form = event.target.closest?.("form");
    if (!form) return;
    const id = form.querySelector("[name=once]");
    if (id) id.value = random();
    if (form.matches("[data-goes], [data-dismisses]")) [lying, form.sought] = [cards().map((card) => card.id), byId("find")?.value];
    /* What was sent leaves the form as it was first drawn: whom the last one was for is not whom the next one is for. */
    if (form.matches("[data-clear]")) {
      typed(form).forEach((f) => {
        f.dataset.sent = f.value;
        f.value = f.defaultValue;
      });
      ticked(form).forEach((f) => {
        f.was = f.checked;
        f.checked = f.defaultChecked;
      });
    }
  });
  const unsent = (event) => {
    const form = event.target.closest?.("form[data-clear]");
    if (!form) return;
    typed(form).forEach((f) => {
      if (f.value === f.defaultValue) f.value = f.dataset.sent || f.value;
    });
    ticked(form).forEach((f) => (f.checked = f.was ?? f.checked));
  };
  document.addEventListener("htmx:response:error", unsent);
  document.addEventListener("htmx:error", unsent);
  document.addEventListener("htmx:after:request", (event) => {
    const form = event.target.closest?.("form");
    const ok = (event.detail?.ctx?.response?.status ?? 500) < 400;
    if (form?.matches("[data-dismisses]") && ok && byId("starting")) dismissed();
    const find = byId("find"); // not every seat seeks
    if (find && form?.matches("[data-goes], [data-dismisses]") && ok && find.value === form.sought) {
      find.value = ""; // unless something else is sought meanwhile
      find.form.dispatchEvent(new CustomEvent("htmx:abort"));
      byId("found").replaceChildren();
    }
    const fold = form?.matches("[data-goes], [data-folds]") && ok && form.closest(".tool, .touch");
    if (fold) fold.open = false;
    if (ok) form?.closest("[id^=poll-]")?.setAttribute("data-done", ""); // nothing but this page knows who voted
    if (form?.matches("[data-goes], [data-dismisses]") && ok) {
      panel("act");
    }
  });

  /* A soft sound of dice, for whoever asked for it on this device. */
  const sound = (on) => {
    kept("sound", on ? "on" : "off");
    all("[data-sound]").forEach((button) => button.setAttribute("aria-pressed", String(on)));
    if (on) rattle();
    if (on && isSecureContext) window.Notification?.requestPermission?.();
  };
  /* When it is newly one's turn and the page is out of sight, the browser says so, if it may. */
  let mine = false;
  const called_up = () => {
    const now = document.querySelector("#yours.mine > .asked:not([data-off])");
    if (now && !mine && document.hidden && kept("sound") === "on" && window.Notification?.permission === "granted")
      new Notification(byId("live").dataset.table, { body: now.innerText.split("\n")[0], tag: "paravent" });
    mine = Boolean(now);
  };
  all("[data-sound]").forEach((button) => button.setAttribute("aria-pressed", String(kept("sound") === "on")));

  /* The hourglass runs on the page itself. One that is turned while the page is open tells how far its clock is off. */
  let [turnedAt, off, running] = [byId("hourglass")?.dataset.until, 0, 0];
  const sand = () => {
    const glass = byId("hourglass");
    const until = glass?.dataset.until;
    if (until && until !== turnedAt) off = Date.parse(until) - 1000 * glass.dataset.seconds - Date.now();
    turnedAt = until;
    clearInterval(running);
    if (!until) return;
    const grain = () => {
      const left = Math.ceil((Date.parse(until) - off - Date.now()) / 1000);
      glass.querySelector("[data-left]").textContent = `${Math.floor(Math.max(left, 0) / 60)}:${String(Math.max(left, 0) % 60).padStart(2, "0")}`;
      glass.classList.toggle("short", left <= 10);
      glass.classList.toggle("ended", left <= 0);
      glass.hidden = left < -60;
      if (left <= 0 && running) {
        if (left === 0 && kept("sound") === "on") rattle();
        if (left < -60) clearInterval(running);
      }
    };
    running = setInterval(grain, 1000);
    grain();
  };
  let room;
  const rattle = () => {
    room ??= new AudioContext();
    room.resume(); // asleep until its page was touched
    for (let hit = 0; hit < 5; hit++) {
      const at = room.currentTime + hit * 0.07 + Math.random() * 0.03;
      const [knock, soft] = [room.createOscillator(), room.createGain()];
      knock.type = "triangle";
      knock.frequency.setValueAtTime(240 + Math.random() * 240, at);
      knock.frequency.exponentialRampToValueAtTime(90, at + 0.05);
      soft.gain.setValueAtTime(0.06 / (hit + 1), at);
      soft.gain.exponentialRampToValueAtTime(0.0001, at + 0.07);
      knock.connect(soft).connect(room.destination);
      knock.start(at);
      knock.stop(at + 0.08);
    }
  };
  /* Dice that were not there before roll, on every screen that may see them. */
  let lain = null;
  const roll = () => {
    const throws = all(".move .throw .dice, .log .throw .dice, #yours .tray");
    const faces = (dice) => [...dice.querySelectorAll(".die")].map((die) => die.ariaLabel);
    const named = (dice) => `${dice.closest("[id]").id} ${dice.closest(".throw")?.dataset.thrown} ${faces(dice)}`;
    const fresh = lain ? throws.filter((dice) => !lain.has(named(dice))) : [];
    lain = new Set(throws.map(named));
    fresh.forEach((dice) => {
      dice.dataset.rolls = "";
      dice.addEventListener("animationend", () => delete dice.dataset.rolls);
    });
    if (fresh.length && kept("sound") === "on") rattle();
  };

  let refused = () => {};

  /* After every update: free throws and those that follow a seal go by themselves, the log follows, a form just fetched takes the keyboard. */
  const settled = (event) => {
    keepsHold();
    all("form[data-auto-throw]").forEach((form) => {
      if (speaking && !form.dataset.done) {
        form.dataset.done = "1";
        speaking = false;
        form.requestSubmit();
      }
    });
    thrownNext();
    const begun = lying && cards().find((card) => !lying.includes(card.id));
    if (begun) {
      lying = null;
      turned = byId(begun.id.replace("move-", "yours-"))?.id ?? turned;
      begun.scrollIntoView({ block: "nearest" });
      const first = begun.matches(".mine") && begun.querySelector(".fill :is(input:not([type=hidden]), select, textarea)");
      if (first && !matchMedia("(pointer: coarse)").matches) first.focus({ preventScroll: true });
    }
    turn();
    awaited();
    newResult();
    all("details[data-opens]:not([data-done])").forEach((unfolds) => {
      unfolds.dataset.done = "1";
      unfolds.open = true;
    });
    /* Real dice are typed where one sees them. */
    all("form.faces").forEach((pad) => {
      if (!pad.seen) pad.scrollIntoView({ block: "nearest" });
      pad.seen = true;
    });
    fetchAgain();
    if (byId("sift")?.value) sift();
    const starting = byId("starting");
    if (starting?.showModal && starting.firstElementChild && !starting.open) starting.showModal();
    if (starting?.contains(event?.target)) starting.querySelector("[data-focus]")?.focus();
    starting?.querySelectorAll("form").forEach(somebodyElse);
    if (pointed && !pointed.isConnected) {
      pointed = null;
      byId("explain")?.hidePopover?.();
    }
    refused();
    follow();
    stopped();
    lines();
    roll();
    everyone();
    atLength();
    called_up();
    sand();
    document.title = document.title.replace(/^● /, "").replace(/^/, document.querySelector("#yours.mine") ? "● " : "");
  };
  document.addEventListener("htmx:after:swap", settled);
  document.addEventListener("htmx:after:sse:message", settled);

  /* An update never disturbs a hand: what is being typed or chosen stays (also while it is on its way to be saved: a page
     drawn before it arrived knows no better), a form in use keeps its boxes, and the row of one person or action never
     turns into another's under the finger. */
  /* What a tile or an option stands for is what it is: were it drawn over another's, one would touch a word and say another. */
  const choices = "option, [type=radio], [type=checkbox]";
  const standsFor = (elt) => (elt.matches?.("label") ? elt.querySelector(choices) : elt.matches?.(choices) ? elt : null)?.getAttribute("value");
  window.htmx?.registerExtension?.("hands", {
    init: (api) => {
      const alike = api.isSoftMatch;
      api.isSoftMatch = (old, now) =>
        alike(old, now) && old.dataset?.is === now.dataset?.is && standsFor(old) === standsFor(now);
    },
    htmx_before_morph_attr: (elt, detail) => {
      if (!["value", "selected", "checked"].includes(detail.attrName) || elt.matches("button, [type=hidden]")) return true;
      const field = elt.closest("select") || elt;
      return field !== document.activeElement && !field.closest("[data-touched]") && !filled.has(field.form?.id);
    },
  });
  if (window.htmx) htmx.config.morphIgnore = [...(htmx.config.morphIgnore ?? []), "data-touched", "data-off", "data-rolls"];
  const forms = ".accept, .sealing, .asking, .strip form, .starting form, .menu form, form.faces, .choice form";
  document.addEventListener("input", (event) => event.target.closest?.(forms)?.setAttribute("data-touched", ""));
  document.addEventListener("htmx:after:request", (event) =>
    event.target.closest?.("form")?.removeAttribute("data-touched"),
  );

  /* The log follows what happens, unless somebody went up to read; that it grew or shrank meanwhile is nobody's doing. */
  let atEnd = true,
    stood = 0,
    heard = 0;
  const log = () => byId("log");
  document.addEventListener(
    "scroll",
    (event) => {
      if (event.target !== log()) return;
      const { scrollTop, clientHeight, scrollHeight } = log();
      atEnd = scrollTop + clientHeight > scrollHeight - 60 || (atEnd && scrollTop >= stood);
      stood = scrollTop;
    },
    true,
  );
  const follow = () => {
    if (atEnd && log() && document.querySelector(".panel.talk")) log().scrollTop = log().scrollHeight;
  };
  const lines = () => {
    const last = log()?.lastElementChild?.id;
    if (heard && last !== heard) nudge("talk");
    heard = last || heard;
    if (document.querySelector("#yours.mine") && !shown("act")) nudge("act");
  };

  /* Who is around the table, on one line: those who do not fit are counted. */
  const everyone = () => {
    const rest = byId("rest");
    if (!rest) return;
    const tops = () => [...byId("seats").children].map((seat) => seat.offsetTop);
    const below = () => tops().filter((top, _, every) => top > Math.min(...every)).length;
    rest.hidden = true;
    rest.hidden = !below();
    rest.firstElementChild.textContent = `+${below()}`;
  };
  addEventListener("resize", everyone);
  byId("rest")?.addEventListener("click", ({ currentTarget: rest }) =>
    rest.setAttribute("aria-expanded", String(rest.getAttribute("aria-expanded") !== "true")),
  );

  /* Nobody scrolls the big screen: what has just changed comes into sight, and what goes on below its edge says so. */
  let before = null;
  const goesOn = () =>
    all("body.screen :is([data-goes-on], #encounters)").forEach((panel) =>
      panel.toggleAttribute("data-more", panel.scrollHeight - panel.scrollTop - panel.clientHeight > 24),
    );
  const atLength = () => {
    const moves = all("body.screen .move"),
      told = new Map(moves.map((move) => [move.id, move.textContent]));
    moves.find((move) => before && before.get(move.id) !== told.get(move.id))?.scrollIntoView({ block: "start" });
    before = told;
    goesOn();
  };
  addEventListener("resize", goesOn);
  document.addEventListener("scroll", goesOn, true);

  /* The stop card: everybody's page pauses, once, until each goes on, or the table does. */
  const place = () => `stop ${byId("live")?.dataset.link ?? location.pathname}`;
  const stopped = () => {
    const pause = byId("pause"),
      card = byId("stopped");
    if (!pause || !card) return;
    const count = Number(pause.dataset.cards);
    if (!pause.dataset.now) {
      kept(place(), count);
      card.close();
    } else if (count > Number(kept(place()) ?? 0) && !card.open) card.showModal();
  };
  byId("stopped")?.addEventListener("close", () => kept(place(), byId("pause").dataset.cards));

  /* The line to the table. A hidden page holds none (a browser opens six to one host) and catches up when shown. */
  const live = byId("live");
  const stream = () => live?._htmx?.sse;
  let lost = false,
    held = false,
    away = false,
    heardAt = Date.now();
  const notice = (words, back) => {
    const box = byId("offline");
    box.hidden = false;
    box.classList.toggle("back", back);
    box.textContent = words;
    byId("announce").textContent = words;
    if (!back) return;
    setTimeout(() => {
      if (!lost) box.hidden = true;
    }, 4000);
  };
  const line = (up) => {
    const box = byId("offline");
    if (!box || up === !lost) return;
    lost = !up;
    notice(up ? box.dataset.back : box.dataset.lost, up);
  };
  const connect = () => {
    if (live && !document.hidden && !stream()) htmx.ajax("GET", live.getAttribute("hx-sse:connect"), { source: live });
  };
  const again = (event) => {
    if (event.target !== live || stream()) return;
    line(false);
    setTimeout(connect, 2000);
  };
  document.addEventListener("htmx:before:request", (event) => {
    if (event.target === live && document.hidden) event.preventDefault();
  });
  document.addEventListener("htmx:error", again);
  document.addEventListener("htmx:response:error", again);
  document.addEventListener("htmx:before:sse:connection", (event) => {
    held = false;
    if (document.hidden) event.preventDefault();
    else if (event.detail?.connection?.attempt > 0 && away === false) line(false);
  });
  document.addEventListener("htmx:after:sse:connection", () => {
    held = true;
    heardAt = Date.now();
    line(true);
    if (document.hidden) setTimeout(() => stream()?.reader?.cancel());
  });
  document.addEventListener("htmx:after:sse:message", (event) => {
    const { id } = event.detail?.message ?? {};
    heardAt = Date.now();
    if (navigator.onLine) line(true); // what was still on its way says nothing of a line that is cut
    if (id) live.setAttribute("hx-sse:connect", live.getAttribute("hx-sse:connect").replace(/last=.*/, `last=${id}`));
    if (id && away !== false && id !== away) notice(byId("offline").dataset.caught ?? byId("offline").dataset.back, true);
    if (id) away = false;
  });
  document.addEventListener("htmx:sse:error", (event) => {
    held = false;
    if ([401, 403, 404].includes(event.detail?.status)) location.reload(); // the seat is closed: the page says so
    else if (!document.hidden) line(false);
  });
  document.addEventListener("htmx:sse:close", () => {
    held = false;
    setTimeout(connect);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      held = false;
      away = live?.getAttribute("hx-sse:connect").split("last=")[1] ?? false;
      return;
    }
    connect();
    setTimeout(() => stream()?.delayCanceller?.());
  });
  addEventListener("offline", () => line(false));
  addEventListener("online", () => {
    connect();
    stream()?.reader?.cancel();
    stream()?.delayCanceller?.();
  });
  /* A line may die without a word: the machine slept, or nothing more comes (the server speaks every twenty seconds),
     or what asks for a new line is not answered. */
  let tick = Date.now(),
    unanswered = 0;
  setInterval(() => {
    const { reader, delayCanceller, abortController } = stream() ?? {};
    const now = Date.now(),
      slept = now - tick > 30000;
    tick = now;
    if (document.hidden) return;
    if (slept || now - heardAt > 50000) reader?.cancel();
    unanswered = abortController && !reader && !delayCanceller ? unanswered + 1 : 0;
    if (unanswered > 2) abortController.abort();
  }, 5000);
  /* While the line holds, what changes comes by it alone: an answer that overtook it would put an older page back. */
  document.addEventListener("htmx:config:request", (event) => {
    if (held) event.detail.ctx.request.headers["X-Line-Held"] = "1";
    if (event.target === live) event.detail.ctx.request.timeout = 15000;
  });

  /* Tables this device has sat at. */
  const known = () => {
    try {
      return JSON.parse(kept("tables") || "{}");
    } catch {
      return {};
    }
  };
  if (live?.dataset.link) {
    const { link, table, who } = live.dataset;
    const others = Object.entries(known())
      .filter(([other]) => other !== link)
      .slice(-11);
    kept("tables", JSON.stringify({ ...Object.fromEntries(others), [link]: `${table} · ${who}` }));
  }
  /* Keys; they may be turned off, for those whose voice or hand types letters unawares. */
  all("[data-keys]").forEach((row) => {
    const box = row.querySelector("input");
    row.hidden = false;
    box.checked = kept("keys") !== "off";
    box.addEventListener("change", () => kept("keys", box.checked ? "on" : "off"));
  });
  addEventListener("keydown", (event) => {
    const typing = event.target.matches(`${TYPED}, select`);
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      byId("explain")?.hidePopover?.();
    }
    if (kept("keys") === "off" || typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "?") {
      event.preventDefault();
      byId("help") ? byId("help").showModal() : location.assign("/help");
    }
    const [where, go] =
      { "/": ["start", "#find"], a: ["act", "#h-act"], f: ["sheets", "#h-sheets"], j: ["talk", "#h-log"], m: ["talk", "#say"],
        r: ["act", "#yours > :is(.asked:not([data-off]), .row) :is(.main, button, a)"] }[event.key] ?? [];
    const target = go && document.querySelector(go);
    if (!target) return;
    event.preventDefault();
    panel(where);
    if (!target.matches("input, button, a")) target.tabIndex = -1;
    target.focus();
  });

  if (document.querySelector(".tabs"))
    panel(document.querySelector(".welcome") && !document.querySelector(".move") ? "sheets" : "act");
  /* The script by which words are picked out of a text comes with the first such text. */
  const picks = () => {
    const { pickingScript: src } = document.body.dataset;
    if (!src || !document.querySelector("[data-picking]")) return;
    delete document.body.dataset.pickingScript;
    document.body.append(Object.assign(document.createElement("script"), { src }));
  };
  ["htmx:after:swap", "htmx:after:sse:message"].forEach((name) => addEventListener(name, picks));
  picks();
  /* What a game's own pages need beside what is played comes when the first of them is opened. */
  const work = byId("workplace");
  const readied = (then) => {
    const { script, style } = work.dataset;
    if (!script) return;
    delete work.dataset.script;
    const [code, looks] = [document.createElement("script"), document.createElement("link")];
    Object.assign(looks, { rel: "stylesheet", href: style });
    Object.assign(code, { src: script, onload: then });
    looks.onload = () => document.head.append(code);
    document.head.append(looks);
  };
  if (work)
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.(".leaflink:not([data-page])");
      if (!link || !work.dataset.script || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      readied(() => link.click());
    });
  try {
    if (work && sessionStorage.getItem(`leaf ${location.pathname}`)) readied();
  } catch {
    /* a browser that keeps nothing */
  }
  /* A portrait that is missing leaves initials. */
  addEventListener("error", (event) => event.target.matches?.(".portrait > img") && event.target.remove(), true);
  /* A refusal goes away by itself, or at a touch; of what was asked in a dialog, it is read there, under its form. */
  document.addEventListener("click", (event) => {
    if (event.target.id === "refusal") event.target.hidden = true;
  });
  let asking;
  document.addEventListener("submit", (event) => {
    asking = event.target;
    all(".refused").forEach((told) => told.remove());
  }, true);
  refused = () => {
    const said = byId("refusal");
    const open = document.querySelector("dialog:modal");
    if (!said || said.hidden || !open) return;
    const told = document.createElement("p");
    told.className = "refused";
    told.setAttribute("role", "alert");
    (open.contains(asking) ? asking : open).append(told);
    told.textContent = said.textContent;
    said.hidden = true;
    told.scrollIntoView({ block: "nearest" });
  };
  let read,
    told;
  if (byId("refusal"))
    new MutationObserver(() => {
      if (told === (told = byId("refusal"))) return; // whatever else goes on at the table keeps none of it there
      clearTimeout(read);
      read = setTimeout(() => (byId("refusal").hidden = true), 9000);
    }).observe(document.body, { childList: true, subtree: true });
  addEventListener("load", () => {
    follow();
    stopped();
    lines();
    settled();
    if (byId("find")?.value.trim()) fire(byId("find"), "input"); // typed before anything listened
  });
})();
