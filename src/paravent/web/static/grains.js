/* Grains: this browser's share in every throw, so that whoever hosts the table can neither choose the dice nor foresee
   them. It makes grains and promises some ahead by their hashes; a throw names who takes part and what each promised,
   before anybody opens anything. Each is for one throw, and nothing follows from one for another: no gap tells of a throw
   that others may not know of. What it opened, and for which key, it keeps, and says so when the table tells otherwise,
   or when too much of what it opened came to nothing: whoever hosts would have tried until the dice pleased them. */
(() => {
  const AHEAD = 48, // grains that are promised at once
    FEW = 16, // with so many left, others are
    RECENT = 400, // throws whose account is kept
    TOLD = 12, // acts that are over of which a page tells (web.regions.TOLD)
    AT_ONCE = 24, // throws to come for which grains are open at most
    LOST = 3, // throws that may go without a word: a game master may put an act behind the screen
    NOTHING = AHEAD / 2, // how many of as many grains as are promised at once may come to nothing
    SETTLED = 1500, // how long, in ms, a page may take to be drawn anew
    PATIENCE = 8000, // for how long, in ms, a throw that was ordered is gone through with
    OFTEN = 6;
  const byId = (id) => document.getElementById(id);

  /* SHA-256 (FIPS 180-4), since browsers lend theirs only to encrypted pages. Its constants are the fractions of the
     roots of the first primes. */
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => ((x % 1) * 2 ** 32) >>> 0;
  const CUBES = primes.map((p) => fraction(Math.cbrt(p))),
    SQUARES = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const turned = (x, n) => (x >>> n) | (x << (32 - n));
  const sha256 = (bytes) => {
    const blocks = Math.ceil((bytes.length + 9) / 64),
      padded = new Uint8Array(64 * blocks),
      view = new DataView(padded.buffer),
      words = new Uint32Array(64);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
    const sum = Uint32Array.from(SQUARES);
    for (let at = 0; at < padded.length; at += 64) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) {
          words[i] = view.getUint32(at + 4 * i);
          continue;
        }
        const x = words[i - 15],
          y = words[i - 2];
        words[i] =
          words[i - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + words[i - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = sum;
      for (let i = 0; i < 64; i++) {
        const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + CUBES[i] + words[i]) | 0,
          two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + one) | 0;
        d = c;
        c = b;
        b = a;
        a = (one + two) | 0;
      }
      [a, b, c, d, e, f, g, h].forEach((part, i) => (sum[i] += part));
    }
    const out = new DataView(new ArrayBuffer(32));
    sum.forEach((word, i) => out.setUint32(4 * i, word));
    return new Uint8Array(out.buffer);
  };
  const hex = (bytes) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hashed = (text) => hex(sha256(new TextEncoder().encode(text)));
  const grains = (window.grains = { sha256: hashed, resending: false });

  const live = byId("live"),
    seat = live?.dataset.link?.split("/")[3];
  const checked = byId("opened"); // the page on which an evening is verified
  if (!seat && !checked) return;
  const plays = live?.dataset.promise !== undefined;
  const PLACE = `grains ${(live ?? checked).dataset.link}`;

  /* What is kept on this device: what its grains are made from, how many were made, for which throw each was opened, how
     throws were told, and of which act; and, of what it opened, what is still to come and what came to nothing. */
  let memory = null;
  const load = () => {
    try {
      memory = JSON.parse(localStorage.getItem(PLACE)) ?? memory;
    } catch {}
    if (!(memory?.made >= 0))
      memory = { seed: hex(crypto.getRandomValues(new Uint8Array(32))), made: 0, bound: {}, told: memory?.told ?? {} };
    memory.acts ??= {};
    memory.waits ??= {};
    memory.nothing ??= [];
    memory.opened ??= 0;
    memory.idle ??= 0;
    return memory;
  };
  const save = () => {
    try {
      localStorage.setItem(PLACE, JSON.stringify(memory));
    } catch {}
  };
  const recent = (kept) => Object.keys(kept).slice(0, -RECENT).forEach((old) => delete kept[old]);
  const grainAt = (at) => hashed(`${memory.seed} ${at}`),
    promiseAt = (at) => hex(sha256(bytes(grainAt(at))));
  let known = {};
  /* Which of this device's latest grains was promised so. */
  const place = (promised) => {
    const { seed, made } = memory;
    if (known.seed !== seed) known = { seed, made: Math.max(0, made - RECENT), places: new Map() };
    for (; known.made < made; known.made++) known.places.set(promiseAt(known.made), known.made);
    return known.places.get(promised);
  };

  const post = (action, values) =>
    fetch(`${live.dataset.link}do/${action}`, {
      method: "POST",
      headers: { "HX-Request": "true", "X-Line-Held": "1" },
      body: new URLSearchParams({ proof: live.dataset.proof, ...values }),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
  const promise = async () => {
    load();
    const ahead = Array.from({ length: AHEAD }, () => promiseAt(memory.made++));
    save();
    live.toggleAttribute("data-promised", await post("promise", { promise: ahead.join(" ") }));
  };
  const shortly = (hash) => hash.slice(0, 24),
    named = (one) => `${one.number} ${one.step}`;
  /* The grain for a throw: bound to its key for good. Nothing, if what was promised for this seat is not from here, or so
     long ago that it is no longer known for what it was opened. */
  const grain = (one) => {
    load();
    const short = shortly(one.hash),
      at = place(one.mine[1]);
    if (at === undefined) return undefined;
    const room = Object.keys(memory.waits).length < AT_ONCE && at >= memory.made - RECENT;
    if (room && !memory.bound[at] && !Object.values(memory.bound).includes(short)) {
      memory.bound[at] = short;
      memory.waits[short] = { at, act: named(one), left: one.left };
      memory.opened++;
      recent(memory.bound);
      save();
    }
    if (memory.bound[at] !== short) return undefined;
    if (memory.made - at <= FEW) promise();
    return grainAt(at);
  };

  /* What the page tells of throws. */
  const throws = () =>
    [...document.querySelectorAll("#grains [data-throw]")].map(({ dataset: of }) => {
      const rows = of.grains.split(" ").filter(Boolean).map((row) => row.split(":"));
      const mine = rows.find(([who]) => who === seat);
      const out = of.left.split(" ").filter(Boolean).map((row) => row.split(":")),
        left = out.map(([who]) => who),
        mute = out.find(([who]) => who === seat)?.[1];
      return { number: of.number, step: of.step, hash: of.throw, holder: of.holder, open: "open" in of, thrown: "thrown" in of, key: of.key, rows, mine, left, mute };
    });
  const warn = (why) => {
    const box = byId("history");
    if (!box || !box.hidden) return;
    box.textContent = box.dataset[why];
    box.hidden = false;
  };

  const asked = new Set(), // throws for which this page was asked, and answered
    answered = new Set(),
    anew = new Set();
  const opens = async (one) => {
    if (asked.has(one.hash)) return;
    const mine = grain(one);
    if (mine === undefined) return;
    asked.add(one.hash);
    if (await post("grain", { hash: one.hash, grain: mine })) answered.add(one.hash);
    else asked.delete(one.hash);
  };
  const seen = new Map(); // by act and step, the keys it was told with, and whether dice fell with them
  let elsewhere = false; // another device at this seat gives its grains
  const checks = (one) => {
    load();
    const known = seen.get(named(one)) ?? new Map();
    if (one.left.includes(seat)) {
      const others = [...known.keys()].filter((hash) => hash !== one.hash && !known.get(hash));
      if (others.length && others.every((hash) => answered.has(hash)) && !known.has(one.hash)) warn("denied");
      if (!anew.has(one.hash) && (place(one.mute) !== undefined || (elsewhere && one.open))) {
        anew.add(one.hash);
        promises();
      }
    }
    seen.set(named(one), known.set(one.hash, one.thrown));
    const at = !one.open && one.mine?.[2] ? place(one.mine[1]) : undefined;
    if (at !== undefined && memory.bound[at] !== shortly(one.hash)) warn("differs");
    if (one.open || !one.key) return;
    const told = shortly(hashed(JSON.stringify([one.key, one.rows]))),
      name = shortly(one.hash);
    if (memory.told[name] && memory.told[name] !== told) warn("differs");
    else if (!memory.told[name]) {
      memory.told[name] = told;
      recent(memory.told);
      save();
    }
  };
  /* An act is told with the throws that it was told with before: those that were taken back are listed. */
  const remembers = (all) => {
    for (const act of new Set(all.map(named))) {
      const before = memory.acts[act] ?? [],
        throws = all.filter((one) => named(one) === act),
        now = throws.map((one) => shortly(one.hash)),
        shown = now.filter((hash, at) => throws[at].key && !before.includes(hash));
      if (shown.length && before.some((hash) => !now.includes(hash))) warn("differs");
      else if (shown.length) {
        memory.acts[act] = [...before, ...shown];
        recent(memory.acts);
        save();
      }
    }
  };
  /* Of each throw for which this device opened its grain, something is told: it is thrown, or given up, or began again
     without somebody more. */
  const doubted = new Map();
  const accounts = (all) => {
    const over = new Set(all.filter((one) => !one.open).map((one) => one.number));
    let settling = false;
    for (const [short, { at, act, left }] of Object.entries(memory.waits)) {
      const told = all.find((one) => one.hash.startsWith(short));
      if (told && named(told) !== act) warn("differs");
      if (told?.open) continue;
      const others = all.filter((one) => named(one) === act),
        without = others.some((one) => one.left.some((who) => !left.includes(who))),
        long = !told && !others.length && over.size >= TOLD; // so long over that the page tells no more of it
      const lost = !told && !without && !long;
      if (lost && !doubted.has(short)) doubted.set(short, Date.now());
      if (lost && Date.now() - doubted.get(short) < SETTLED) {
        settling = true;
        continue;
      }
      if (!long && !told?.rows.some((row) => row[2])) memory.idle++;
      if (!told?.thrown) memory.nothing.push({ at, lost });
      delete memory.waits[short];
      save();
    }
    if (settling) setTimeout(look, SETTLED);
    const last = Math.max(-1, ...Object.keys(memory.bound)),
      lately = memory.nothing.filter(({ at }) => at > last - AHEAD);
    if (lately.length > NOTHING || lately.filter(({ lost }) => lost).length > LOST) warn("nothing");
    memory.nothing = memory.nothing.slice(-RECENT);
  };

  /* Where one has several devices at hand, the one in use gives the grains: it promises as soon as it is touched, or once
     the other does not answer. */
  const promises = () => {
    elsewhere = false;
    promise();
  };
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => elsewhere && promises(), { capture: true, passive: true });

  /* A throw that was ordered is gone through with: after it began again, or once its own key is ready. */
  const ordered = new Map();
  let started = null;
  const state = (one) => `${one.hash} ${one.holder}`;
  const resend = (one) => {
    const form = [...document.querySelectorAll('form[action$="/do/throw"]')].find(
      (form) => form.elements.number?.value === one.number && !form.elements.by_hand,
    );
    if (!form) return;
    grains.resending = true;
    form.requestSubmit();
    grains.resending = false;
  };
  const goesOn = (one) => {
    const order = ordered.get(one.number);
    if (order && Date.now() - order.at < PATIENCE && order.state !== state(one) && order.times < OFTEN) resend(one);
    else if (started && Date.now() - started.at < PATIENCE && !started.known.has(one.number) && one.holder === seat) {
      started = null;
      resend(one);
    }
  };
  grains.begins = () => (started = { at: Date.now(), known: new Set(throws().map(({ number }) => number)) });
  /* What goes with a throw: this seat's own grain, if it takes part; else a promise of its, which asks for its part. */
  grains.given = (number) => {
    const one = throws().find((one) => one.open && one.number === number);
    const before = ordered.get(number);
    ordered.set(number, { at: Date.now(), state: one && state(one), times: grains.resending ? (before?.times ?? 0) + 1 : 1 });
    if (!one) return plays && load().made ? promiseAt(memory.made - 1) : undefined;
    const mine = one.mine && grain(one);
    if (one.mine && mine === undefined) promises(); // it was another device's: from now on, this one's
    return mine;
  };

  const look = () => {
    if (!byId("grains")) return;
    const all = throws();
    for (const one of all) checks(one);
    load();
    remembers(all);
    accounts(all);
    for (const one of all) {
      if (!one.open || !plays) continue;
      elsewhere ||= one.mine !== undefined && place(one.mine[1]) === undefined;
      if (one.mine && one.holder !== seat) opens(one);
      goesOn(one);
    }
  };
  if (checked) {
    load();
    const waiting = Object.keys(memory.waits).length;
    checked.textContent = checked.dataset.says.replace("#n", memory.opened).replace("#m", memory.idle).replace("#w", waiting);
    checked.hidden = !memory.opened;
    return;
  }
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("htmx:after:sse:message", look);
  addEventListener("load", () => {
    load();
    const first = live.dataset.promise;
    elsewhere = plays && first !== "" && place(first) === undefined && "elsewhere" in live.dataset;
    if (plays && !elsewhere && !(memory.made - place(first) > FEW)) promise();
    else if (plays) live.toggleAttribute("data-promised", true);
    look();
  });
})();
