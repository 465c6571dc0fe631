/* Words picked out of a text: touched (the first, then the last), dragged over, or walked to with arrows (Shift extends,
   Enter takes them). Underneath are plain inputs: without this script, one writes the words there. */
(() => {
  const all = (sel, root = document) => [...root.querySelectorAll(sel)];
  const make = (tag, cls = "", text = "") => Object.assign(document.createElement(tag), { className: cls, textContent: text });
  const button = (text, act) => Object.assign(make("button", "", text), { type: "button", onclick: act });
  const fire = (elt, ...names) => names.forEach((name) => elt.dispatchEvent(new Event(name, { bubbles: true })));
  const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*['’]?/gu;
  const DOTS = "●";
  const inWord = (char) => /[\p{L}\p{N}]/u.test(char ?? "");

  /* Where words stand in a text as words of their own, from some place on. */
  const find = (text, words, from = 0) => {
    for (let at = text.indexOf(words, from); words && at >= 0; at = text.indexOf(words, at + 1))
      if (!inWord(text[at - 1]) && !inWord(text[at + words.length])) return at;
    return -1;
  };
  /* What was picked already: each passage once, longer ones first, none over another. */
  const marked = (text, quotes) => {
    const taken = [];
    for (const quote of [...quotes].sort((one, other) => other.words.length - one.words.length)) {
      let from = find(text, quote.words);
      const over = () => taken.some((mark) => from < mark.to && mark.from < from + quote.words.length);
      while (from >= 0 && over()) from = find(text, quote.words, from + 1);
      if (from >= 0) taken.push({ ...quote, from, to: from + quote.words.length });
    }
    return taken.sort((one, other) => one.from - other.from);
  };
  const draw = (block, text, quotes) => {
    block.said = text;
    block.marks = marked(text, quotes);
    const parts = [];
    let at = 0;
    const plainly = (to) => {
      for (const { 0: word, index } of text.slice(at, to).matchAll(WORD)) {
        const from = parts.at(-1)?.to ?? 0;
        parts.push({ node: document.createTextNode(text.slice(from, at + index)), to: at + index });
        parts.push({ node: Object.assign(make("span", "w", word), { from: at + index, to: at + index + word.length }), to: at + index + word.length });
      }
      const from = parts.at(-1)?.to ?? 0;
      parts.push({ node: document.createTextNode(text.slice(from, to)), to });
    };
    for (const mark of block.marks) {
      plainly(mark.from);
      const node = make(mark.row ? "a" : "mark", `m m-${mark.at}`, mark.words);
      if (mark.row) {
        node.href = `#${mark.row}`;
        node.id = `in-${mark.row}`;
      }
      node.append(make("span", "sr", ` (${mark.told})`));
      parts.push({ node, to: mark.to });
      at = mark.to;
    }
    plainly(text.length);
    block.replaceChildren(...parts.map((part) => part.node));
  };

  /* One choice of words at a time. */
  let pick = null;
  const words = (block) => all(".w", block);
  const paint = () =>
    all("[data-pick]").forEach((block) => {
      const [first, last] = pick?.block === block ? [Math.min(pick.from, pick.to), Math.max(pick.from, pick.to)] : [1, 0];
      words(block).forEach((word, n) => word.classList.toggle("on", n >= first && n <= last));
    });
  const forget = () => {
    pick = null;
    all("[data-said]").forEach((box) => box.classList.add("sr"));
    paint();
  };
  const chosen = () => {
    const every = words(pick.block);
    const [from, to] = [every[Math.min(pick.from, pick.to)].from, every[Math.max(pick.from, pick.to)].to];
    return { from, to, text: pick.block.said.slice(from, to).replace(/['’]$/, "") };
  };
  const status = (block, said, seen = false) => {
    const box = block.closest("[data-picking]").querySelector("[data-said]");
    if (!box) return;
    box.textContent = said;
    box.classList.toggle("sr", !seen);
  };
  /* Words from one to another; where some are taken already, that is said instead. */
  const reach = (block, from, to) => {
    pick = { block, from, to };
    const { from: first, to: last } = chosen();
    const over = block.marks.find((mark) => mark.from < last && first < mark.to);
    if (over) {
      pick = { block, from: to, to };
      status(block, `${block.closest("[data-picking]").dataset.taken} ${over.words}`, true);
    } else status(block, chosen().text);
    paint();
  };
  /* The same words, with as many of those that follow as it takes to be found again. */
  const quoted = (block, { from, to }) => {
    let end = to;
    for (const word of words(block).filter((one) => one.from >= to)) {
      if (find(block.said, block.said.slice(from, end)) === from) break;
      end = word.to;
    }
    return block.said.slice(from, end).replace(/['’]$/, "");
  };
  const take = () => {
    const into = document.getElementById(pick.block.closest("[data-picking]").dataset.into);
    if (!into) return pick.block.closest("[data-picking]").picked();
    into.value = chosen().text;
    fire(into, "input", "change");
  };

  const over = (event) => {
    const block = event.target.closest?.("[data-pick]");
    const range = !getSelection().isCollapsed && getSelection().getRangeAt(0);
    const held = range && (block ?? range.commonAncestorContainer.parentElement?.closest("[data-pick]"));
    const touched = held ? words(held).map((word, n) => (range.intersectsNode(word) ? n : -1)).filter((n) => n >= 0) : [];
    if (!touched.length) return false;
    reach(held, touched[0], touched.at(-1));
    take();
    return true;
  };
  let dragged = false;
  addEventListener("pointerup", (event) => {
    dragged = event.pointerType === "mouse" && over(event);
    if (dragged) getSelection().removeAllRanges();
  });
  let settling;
  document.addEventListener("selectionchange", () => {
    clearTimeout(settling);
    if (!matchMedia("(pointer: coarse)").matches || getSelection().isCollapsed) return;
    settling = setTimeout(() => over({ target: getSelection().anchorNode?.parentElement ?? document.body }), 350);
  });
  addEventListener("click", (event) => {
    const word = event.target.closest?.("[data-pick] .w");
    const mark = event.target.closest?.("[data-pick] a.m");
    if (mark) {
      event.preventDefault();
      shown(document.getElementById(mark.hash.slice(1)));
    }
    if (!word || dragged) return;
    const block = word.closest("[data-pick]"),
      at = words(block).indexOf(word);
    const alone = pick?.block === block && pick.from === pick.to;
    if (alone && pick.from === at) forget();
    else reach(block, alone ? pick.from : at, at);
    pick ? take() : block.closest("[data-picking]").picked?.();
  });
  addEventListener("keydown", (event) => {
    const block = event.target.closest?.("[data-pick]");
    if (!block || event.target !== block || event.ctrlKey || event.metaKey || event.altKey) return;
    const every = words(block),
      now = pick?.block === block ? pick.to : -1;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, ArrowDown: now + 8, ArrowUp: now - 8, Home: 0, End: every.length }[event.key];
    if (event.key === "Enter" && now >= 0) {
      event.preventDefault();
      take();
      block.closest("[data-picking]").asks?.();
    }
    if (event.key === "Escape") forget();
    if (to === undefined || !every.length) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(to, every.length - 1));
    reach(block, event.shiftKey && now >= 0 ? pick.from : at, at);
    every[at].scrollIntoView({ block: "nearest" });
  });
  const shown = (elt) => {
    if (!elt) return;
    if (elt.tagName === "DETAILS") elt.open = true;
    elt.scrollIntoView({ block: "center" });
    (elt.querySelector("summary") ?? elt).focus({ preventScroll: true });
  };

  /* On a card: the texts of a sheet, and what was picked from them before. */
  const cards = () =>
    all("[data-picking][data-into] [data-pick]:not([data-wrapped])").forEach((block) => {
      block.dataset.wrapped = "";
      const quotes = JSON.parse(block.dataset.quoted).flatMap(([list, every], at) =>
        every.map((words) => ({ words, at, told: list })),
      );
      draw(block, block.textContent, quotes);
    });
  addEventListener("htmx:after:swap", cards);
  addEventListener("htmx:after:sse:message", cards);

  /* While a sheet is written: a word, a list and a level make a row of that list. */
  const workshop = (part) => {
    const form = part.closest("form"),
      said = part.dataset,
      $ = (sel) => part.querySelector(sel);
    const rows = (list) => all(`[data-rows="${list}"] tbody tr`, form);
    const cell = (row, name) => row.querySelector(`[name$=":${name}"]`);
    const lists = all("[name=picking-list]", part).map((radio, at) => ({
      id: radio.value, at, radio, title: radio.dataset.title, levels: $(`[data-levels="${radio.value}"]`),
      box: form.querySelector(`[data-rows="${radio.value}"]`),
    })).filter((list) => list.box);
    const level = (list, value) => list.levels.querySelector(`[data-level="${value}"]`)?.textContent.trim() ?? value;
    const called = (list, row) => `${list.title}, ${level(list, cell(row, said.graded).value)}`;

    for (const list of lists) {
      list.shown = make("ul", "drawn plain");
      const table = make("details", "astable");
      table.append(make("summary", "", said.table));
      list.box.before(list.shown, table);
      table.append(list.box);
    }
    const elements = (list) => rows(list.id).map((row, n) => [row, `el-${list.id}-${n}`]).filter(([row]) => cell(row, "name").value.trim());
    const texts = () =>
      all("[data-text]", part).forEach((held) => {
        const text = document.getElementById(held.dataset.text).value;
        const quotes = lists.flatMap((list) =>
          elements(list).map(([row, id]) => ({ words: cell(row, said.quote).value, row: id, at: list.at, told: called(list, row) })),
        );
        held.hidden = !text.trim();
        if (pick?.block.closest("[data-text]") === held) pick = null;
        draw(held.querySelector("[data-pick]"), text, quotes.filter((quote) => quote.words));
      });
    const listed = () =>
      lists.forEach((list) => {
        const open = new Set(all("details[open]", list.shown).map((one) => one.id));
        list.shown.replaceChildren(...elements(list).map(([row, id]) => element(list, row, id, open.has(id))));
      });
    const put = (row, name, value) => {
      const input = cell(row, name);
      if (input) input.value = value;
      return input;
    };
    const element = (list, row, id, open) => {
      const item = make("li"),
        fold = Object.assign(make("details", `el m-${list.at}`), { id, open });
      const head = make("summary"),
        score = Number(cell(row, said.graded).value || 1);
      const mark = cell(row, said.mark);
      head.append(
        make("span", "nm", cell(row, "name").value + (mark?.value ? ` · ${mark.selectedOptions[0].textContent}` : "")),
        make("span", "lv", `${level(list, score)} ${DOTS.repeat(Math.max(0, Math.min(score, 5)))}`),
      );
      const name = Object.assign(make("input"), { value: cell(row, "name").value, ariaLabel: said.called });
      name.setAttribute("form", "picking-none");
      name.addEventListener("change", () => fire(put(row, "name", name.value), "input"));
      const levels = make("div", "row tight");
      levels.append(
        ...all("[data-level]", list.levels).map((one) =>
          button(one.textContent.trim(), () => fire(put(row, said.graded, one.dataset.level), "input")),
        ),
      );
      const more = make("p", "row tight");
      if (document.getElementById(`in-${id}`)) more.append(button(said.see, () => shown(document.getElementById(`in-${id}`))));
      more.append(
        button(said.remove, () => {
          ["name", said.quote, "note"].forEach((part) => put(row, part, ""));
          if (mark) mark.value = "";
          fire(cell(row, "name"), "input");
        }),
      );
      fold.append(head, name, levels, more);
      item.append(fold);
      return item;
    };
    const refresh = () => {
      texts();
      listed();
      $("[data-count]").textContent = lists.reduce((sum, list) => sum + elements(list).length, 0);
      paint();
    };

    const panel = (on) => {
      $("[data-idle]").hidden = on;
      $("[data-picked]").hidden = !on;
      lists.forEach((list) => (list.levels.hidden = !list.radio.checked));
      $("[data-named]").setAttribute("list", `picking-${lists.find((list) => list.radio.checked)?.id}`);
    };
    part.picked = () => {
      panel(Boolean(pick));
      if (!pick) return;
      const { text } = chosen();
      $("[data-named]").value = text.charAt(0).toUpperCase() + text.slice(1);
    };
    part.asks = () => lists.find((list) => list.radio.checked)?.radio.focus();
    const add = (value) => {
      const list = lists.find((one) => one.radio.checked),
        name = $("[data-named]").value.trim();
      if (!name) return $("[data-named]").focus();
      const block = pick?.block,
        quote = pick ? quoted(pick.block, chosen()) : "";
      const blank = () => rows(list.id).find((row) => !cell(row, "name").value.trim());
      if (!blank()) list.box.querySelector("[data-add-row]").click();
      const row = blank();
      put(row, said.graded, value);
      put(row, said.quote, quote);
      const mark = list.levels.querySelector("select");
      if (mark) {
        put(row, said.mark, mark.value);
        mark.value = "";
      }
      forget();
      $("[data-named]").value = "";
      fire(put(row, "name", name), "input");
      status($("[data-pick]"), `${name}, ${called(list, row)}`);
      panel(false);
      (block ?? $("[data-write]")).focus({ preventScroll: true });
    };
    part.addEventListener("click", ({ target }) => {
      const value = target.closest("[data-level]")?.dataset.level;
      if (value) add(value);
      if (target.closest("[data-forget]")) {
        forget();
        panel(false);
      }
      if (target.closest("[data-write]")) {
        forget();
        panel(true);
        $("[data-named]").value = "";
        $("[data-named]").focus();
      }
    });
    part.addEventListener("change", ({ target }) => target.name === "picking-list" && panel(true));
    form.addEventListener("input", ({ target }) => target.form === form && refresh());
    form.classList.add("picks");
    part.hidden = false;
    panel(false);
    refresh();
  };
  all("[data-picking]:not([data-into])").forEach(workshop);
  cards();
})();
