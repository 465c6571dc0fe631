/* Grains: this browser's share in every throw, so that whoever hosts the table can neither choose the dice nor foresee
   them. It makes a chain of hashes and promises its end; a throw names who takes part and what each promised, before
   anybody opens anything. What it opened, and for which key, it keeps, and says so when the table tells otherwise. */
(() => {
  const LONG = 512, // grains in a chain
    RECENT = 400, // throws whose account is kept
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
  const grains = (window.grains = { sha256: (text) => hex(sha256(new TextEncoder().encode(text))), resending: false });

  const live = byId("live"),
    seat = live?.dataset.link?.split("/")[3];
  if (!seat) return;
  const plays = live.dataset.promise !== undefined;
  const PLACE = `grains ${live.dataset.link}`;

  /* What is kept on this device: the chain's first hash, how many grains are left, for which throw each was opened, and
     how throws were told. */
  let memory = null;
  const load = () => {
    try {
      memory = JSON.parse(localStorage.getItem(PLACE)) ?? memory;
    } catch {}
    if (!memory || memory.left < 2)
      memory = { seed: hex(crypto.getRandomValues(new Uint8Array(32))), left: LONG - 1, bound: {}, told: memory?.told ?? {} };
    return memory;
  };
  const save = () => {
    try {
      localStorage.setItem(PLACE, JSON.stringify(memory));
    } catch {}
  };
  let grown = { seed: "", chain: [] };
  const chain = () => {
    const { seed } = memory;
    if (grown.seed !== seed) {
      grown = { seed, chain: [bytes(seed)] };
      while (grown.chain.length < LONG) grown.chain.push(sha256(grown.chain.at(-1)));
      grown.chain = grown.chain.map(hex);
    }
    return grown.chain;
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
    const tip = chain()[memory.left];
    save();
    live.toggleAttribute("data-promised", await post("promise", { promise: tip }));
  };
  /* The grain for a throw: bound to its key for good. Nothing, if what was promised for this seat is not from here. */
  const grain = (hash, promised) => {
    load();
    const short = hash.slice(0, 24),
      before = Object.keys(memory.bound).find((at) => memory.bound[at] === short);
    if (before !== undefined) return chain()[before];
    if (chain()[memory.left] !== promised) return undefined;
    memory.left -= 1;
    memory.bound[memory.left] = short;
    save();
    return chain()[memory.left];
  };

  /* What the page tells of throws. */
  const throws = () =>
    [...document.querySelectorAll("#grains [data-throw]")].map(({ dataset: of }) => {
      const rows = of.grains.split(" ").filter(Boolean).map((row) => row.split(":"));
      const mine = rows.find(([who]) => who === seat);
      return { number: of.number, hash: of.throw, holder: of.holder, open: "open" in of, key: of.key, rows, mine, left: of.left.split(" ") };
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
    const mine = grain(one.hash, one.mine[1]);
    if (mine === undefined) return;
    asked.add(one.hash);
    if (await post("grain", { hash: one.hash, grain: mine })) answered.add(one.hash);
    else asked.delete(one.hash);
  };
  const seen = new Map(); // by act, the keys it was told with
  const checks = (one) => {
    load();
    const known = seen.get(one.number) ?? new Set();
    if (one.left.includes(seat)) {
      const others = [...known].filter((hash) => hash !== one.hash);
      if (others.length && others.every((hash) => answered.has(hash)) && !known.has(one.hash)) warn("denied");
      if (!anew.has(one.hash)) {
        anew.add(one.hash);
        promise();
      }
    }
    seen.set(one.number, known.add(one.hash));
    const opened = !one.open && one.mine?.[2];
    const at = opened ? chain().indexOf(opened) : -1;
    if (at >= 0 && memory.bound[at] !== one.hash.slice(0, 24)) warn("differs");
    if (one.open || !one.key) return;
    const told = hex(sha256(new TextEncoder().encode(JSON.stringify([one.key, one.rows])))).slice(0, 24),
      name = one.hash.slice(0, 24);
    if (memory.told[name] && memory.told[name] !== told) warn("differs");
    else if (!memory.told[name]) {
      memory.told[name] = told;
      Object.keys(memory.told).slice(0, -RECENT).forEach((old) => delete memory.told[old]);
      save();
    }
  };

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
  /* What goes with a throw: this seat's own grain, if it takes part; else its promise, which asks for its part. */
  grains.given = (number) => {
    const one = throws().find((one) => one.open && one.number === number);
    const before = ordered.get(number);
    ordered.set(number, { at: Date.now(), state: one && state(one), times: grains.resending ? (before?.times ?? 0) + 1 : 1 });
    if (!one) return plays && load() ? chain()[memory.left] : undefined;
    const mine = one.mine && grain(one.hash, one.mine[1]);
    if (!one.mine || mine !== undefined) return mine;
    if (chain().includes(one.mine[1])) return chain()[memory.left]; // it went into another throw: the next, then
    promise(); // it was another device's: from now on, this one's
  };

  const look = () => {
    for (const one of throws()) {
      checks(one);
      if (!one.open || !plays) continue;
      if (one.mine && one.holder !== seat) opens(one);
      goesOn(one);
    }
  };
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("htmx:after:sse:message", look);
  addEventListener("load", () => {
    load();
    if (plays && live.dataset.promise !== chain()[memory.left]) promise();
    else if (plays) live.toggleAttribute("data-promised", true);
    look();
  });
})();
