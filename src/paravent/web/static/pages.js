/* What the pages beside the table cannot do without a script: tables one knows, sheets that are written, maps, pictures. */
(() => {
  const all = (sel, root = document) => [...root.querySelectorAll(sel)];
  const byId = (id) => document.getElementById(id);
  const fire = (elt, ...names) => names.forEach((name) => elt.dispatchEvent(new Event(name, { bubbles: true })));

  /* Whoever reads a page beside the table is still at it. A hidden page holds no line. */
  let here = null;
  const stay = () => {
    here?.close();
    const { here: where } = document.body.dataset;
    here = where && !document.hidden ? new EventSource(where) : null;
  };
  document.addEventListener("visibilitychange", stay);
  stay();

  /* Tables this device has sat at, as their pages keep them. */
  const known = () => {
    try {
      return JSON.parse(localStorage.getItem("tables") || "{}");
    } catch {
      return {};
    }
  };
  const yours = document.querySelector("[data-yours]");
  if (yours && Object.keys(known()).length) {
    /* One line for each table, with the seats held there; it can be forgotten here, and stays where it is kept. */
    const tables = new Map();
    for (const [link, name] of Object.entries(known()).reverse()) {
      const at = link.split("/")[2];
      tables.set(at, [...(tables.get(at) ?? []), [link, name]]);
    }
    for (const seats of tables.values()) {
      const item = document.createElement("li");
      for (const [link, name] of seats) {
        const a = document.createElement("a");
        a.href = link;
        a.textContent = item.childElementCount ? name.split(" · ").at(-1) : name;
        a.className = "chip";
        item.append(a);
      }
      const forget = document.createElement("button");
      forget.className = "quiet";
      forget.textContent = yours.dataset.forget;
      forget.setAttribute("aria-label", `${yours.dataset.forget} ${seats[0][1]}`);
      forget.addEventListener("click", () => {
        const gone = new Set(seats.map(([link]) => link));
        localStorage.setItem("tables", JSON.stringify(Object.fromEntries(Object.entries(known()).filter(([link]) => !gone.has(link)))));
        item.remove();
        byId("your-tables").hidden = !yours.childElementCount;
      });
      item.append(forget);
      yours.append(item);
    }
    byId("your-tables").hidden = false;
  }

  /* Rows of a sheet are added at will: the last one again, empty, with the next number. */
  all("[data-add-row]").forEach((button) => {
    const box = button.closest("fieldset");
    const body = box.querySelector("tbody");
    const rows = [...body.children];
    const free = rows.filter((row) => all("input, select, textarea", row).every((cell) => ["", "no"].includes(cell.value)));
    const wanted = Number(box.dataset.wanted);
    /* Where rows can be added, no more stand empty than are to be written, or one. */
    free.slice(Math.max(wanted - rows.length + free.length, wanted === 1 ? 0 : 1)).forEach((row) => row.remove());
    button.hidden = false;
    button.addEventListener("click", () => {
      const row = body.lastElementChild.cloneNode(true);
      for (const cell of all("input, select, textarea", row)) {
        const next = (place) => place.replace(/(\D)(\d+)(\D[^:-]*)$/, (_, before, at, after) => `${before}${+at + 1}${after}`);
        cell.name = next(cell.name);
        cell.id = next(cell.id);
        if (cell.tagName !== "SELECT") cell.value = "";
      }
      body.append(row);
      row.querySelector("input, select, textarea").focus();
    });
  });

  /* A sheet that is written step by step shows one step; without this script all of them stand one under the other. */
  const stages = all("[data-stage]");
  const toStage = (id, moves = true) => {
    stages.forEach((one) => (one.hidden = one.dataset.stage !== id));
    const at = stages.findIndex((one) => one.dataset.stage === id);
    byId("stage-now").value = id;
    document.querySelector("[data-turn='-1']").disabled = at === 0;
    all("[data-to]").forEach((one) => (one.hidden = one.dataset.to !== stages[at + 1]?.dataset.stage));
    const last = at === stages.length - 1;
    all("[data-hands-in], .verdict .summary").forEach((one) => {
      one.hidden = !last;
      one.disabled = !last;
    });
    if (!moves) return;
    fire(byId("stage-now"), "input");
    scrollTo({ top: 0 });
    stages[at].focus({ preventScroll: true });
  };
  if (stages.length) {
    toStage(stages[0].dataset.stage, false);
    /* What the browser will not send as it stands is shown, in whichever step it stands. */
    const refused = ({ target }) => target.closest("[data-stage][hidden]") && toStage(target.closest("[data-stage]").dataset.stage);
    addEventListener("invalid", refused, true);
    addEventListener("click", (event) => {
      const turns = event.target.closest("[data-turn]");
      const link = event.target.closest("a[href^='#stage-'], a[href^='#part-']");
      const now = stages.findIndex((one) => !one.hidden);
      if (turns) toStage(stages[now + Number(turns.dataset.turn)].dataset.stage);
      const led = link && byId(link.hash.slice(1))?.closest("[data-stage]");
      if (!led) return;
      toStage(led.dataset.stage);
      if (link.hash.startsWith("#stage-")) event.preventDefault();
    });
  }
  /* A sheet that is refused when it is handed in stays before one's eyes, with the reason above the button. */
  byId("writing")?.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (!submitter?.matches("[data-hands-in]")) return;
    event.preventDefault();
    submitter.disabled = true;
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
      if (answer.redirected) return location.assign(answer.url);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const list = Object.assign(document.createElement("ul"), { className: "faults" });
      const why = Object.assign(document.createElement("li"), { className: "hard", tabIndex: -1 });
      why.textContent = page.querySelector("[role=alert]").textContent;
      list.append(why);
      byId("faults").replaceChildren(list);
      why.focus();
      submitter.disabled = false;
    } catch {
      form.submit();
    }
  });
  all("[data-scripted]").forEach((one) => (one.hidden = false));
  const setBy = (chip) =>
    chip.dataset.sets.split(" ").map((pair) => {
      const at = pair.lastIndexOf("=");
      return { field: chip.closest("form").elements[pair.slice(0, at)], value: pair.slice(at + 1) };
    }).filter((one) => one.field);
  const cellsOf = (chip) => all("input", chip.closest("fieldset")).filter((one) => one.name.endsWith(`:${chip.dataset.adds}`));
  /* Words at hand that stand on the sheet are seen as chosen. */
  const stands = (chip) =>
    chip.dataset.adds
      ? cellsOf(chip).some((one) => one.value === chip.textContent)
      : setBy(chip).every(({ field, value }) => field.value === value);
  const press = () => all("[data-adds], [data-sets]").forEach((chip) => chip.setAttribute("aria-pressed", String(stands(chip))));
  press();
  addEventListener("input", press);
  addEventListener("click", (event) => {
    const sets = event.target.closest("[data-sets]");
    if (sets) {
      const fields = setBy(sets);
      fields.forEach(({ field, value }) => (field.value = value));
      fields.slice(-1).forEach(({ field }) => fire(field, "input", "change"));
    }
    const adds = event.target.closest("[data-adds]");
    if (adds) {
      const cells = cellsOf(adds);
      const held = cells.find((one) => one.value === adds.textContent);
      const box = adds.closest("fieldset");
      const free = () => cellsOf(adds).find((one) => !one.value);
      if (!held && !free() && box.dataset.wanted !== "1") box.querySelector("[data-add-row]").click();
      const cell = held ?? free() ?? cells[0]; // of one thing only, another takes its place
      cell.value = held ? "" : adds.textContent;
      fire(cell, "input", "change");
    }
  });

  /* The address of a line leads to the reader's own place. */
  const pointing = document.querySelector("[data-line]");
  if (pointing) {
    const { line, at } = pointing.dataset;
    const places = Object.entries(known()).filter(([link]) => link.startsWith(at));
    const there = (link) => `${link}log?line=${line}#l-${line}`;
    if (places.length === 1) location.replace(there(places[0][0]));
    for (const [link, name] of places) {
      const item = document.createElement("li"),
        a = document.createElement("a");
      a.href = there(link);
      a.textContent = name;
      a.className = "chip";
      item.append(a);
      pointing.append(item);
    }
  }

  /* A picture to bring: pasted anywhere on the page, or dropped on its place. */
  const places = all("[data-picture]");
  const give = (place, files) => {
    const image = [...files].find((file) => file.type.startsWith("image/"));
    if (!place || !files.length) return false;
    const told = place.querySelector("[data-told]");
    if (!image) {
      told.textContent = place.dataset.none;
      return false;
    }
    const given = new DataTransfer();
    given.items.add(image);
    const [field, camera] = all("[type=file]", place);
    [field.files, camera.value] = [given.files, ""];
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    told.textContent = place.dataset.ready.replace("{name}", image.name);
    fire(field, "change");
    place.querySelector("[name=words]").focus();
    return true;
  };
  for (const place of places) {
    /* Where a picture may be left out, its words are asked for as soon as there is one. */
    const words = place.querySelector("[name=words]"),
      always = words.required;
    place.addEventListener("change", () => {
      words.required = always || all("[type=file]", place).some((field) => field.files.length);
    });
    for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
      place.addEventListener(kind, (event) => {
        if (![...event.dataTransfer.types].includes("Files")) return;
        event.preventDefault();
        place.classList.toggle("over", kind === "dragenter" || kind === "dragover");
        if (kind === "drop") give(place, event.dataTransfer.files);
      });
  }
  addEventListener("paste", (event) => {
    const here = document.activeElement.closest("form")?.querySelector("[data-picture]");
    const open = places.find((place) => place.checkVisibility?.());
    if (give(here ?? open ?? places[0], event.clipboardData?.files ?? [])) event.preventDefault();
  });
})();
