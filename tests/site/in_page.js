// What a page says of itself, asked from within it. The tests decide; this only looks. `window.seen` is begun before the
// page's own scripts run (see `BEGIN` in browsing.py).
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const name = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.getAttribute("class") ?? ""}`;
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.closest(".hidden, .sprite, .skip") === null;

  const drawings = () =>
    all(".drawing > svg, .plot svg, svg.path").map((svg) => {
      const { width, height } = svg.getBoundingClientRect();
      const image = svg.closest('[role="img"]'); // the drawing itself, or what holds it and speaks for it
      const title = svg.querySelector(":scope > title");
      const desc = svg.querySelector(":scope > desc");
      const inked = all("path, line, rect, circle", svg).filter((mark) => {
        const box = mark.getBoundingClientRect();
        return box.width > 0 || box.height > 0;
      });
      return {
        width, height, inked: inked.length, role: image?.getAttribute("role") ?? null,
        words: image?.getAttribute("aria-label") ?? (title === null ? "" : words(title)),
        more: desc === null ? "" : words(desc),
        shapes: new Set(all('path[fill="var(--plot-candidate)"]', svg).map((path) => path.getAttribute("d"))).size,
      };
    });

  const pictures = () =>
    all("svg:not(.sprite):not(.drawing svg):not(.sprite *), img").filter(isShown).map((picture) => {
      const box = picture.getBoundingClientRect();
      return {
        name: name(picture), width: box.width, height: box.height,
        isHidden: picture.closest('[aria-hidden="true"]') !== null,
        words: picture.getAttribute("alt") ?? picture.getAttribute("aria-label") ?? words(picture),
      };
    });

  // Each mark that tells a verdict, with the words beside it.
  const told = () =>
    all(".badge, .cell-mark, .matrix td[class^='v-'], .tally li, .count").map((element) => [
      element.querySelector("use")?.getAttribute("href")?.replace("#mark-", "") ?? "",
      words(element).replace(/^[\d,]+\s*/, ""),
    ]);

  const facts = () => ({
    title: document.title,
    language: document.documentElement.lang,
    headings: all("h1, h2, h3").map((heading) => [heading.tagName, words(heading)]),
    ids: all("[id]").map((element) => element.id),
    links: all("a[href]").map((link) => link.href),
    loaded: all("script[src], link[href], img[src]").map((element) => element.src || element.href),
    scripts: all("script").map((script) => (script.src ? new URL(script.src).pathname : "inline")),
    elements: Object.entries(Object.groupBy(all("*"), (element) => element.tagName.toLowerCase()))
      .map(([tag, found]) => [tag, found.length]),
    handlers: all("*").flatMap((element) =>
      element.getAttributeNames().filter((attribute) => attribute.startsWith("on")).map(() => name(element))),
    text: words(document.body),
    drawings: drawings(),
    pictures: pictures(),
    told: told(),
    violations: window.seen?.violations ?? [],
    harm: window.harm ?? null,
  });

  // What a table holds, whatever a script added to it.
  const written = (cell) => {
    const copy = cell.cloneNode(true);
    for (const added of all(".command button", copy)) added.remove();
    return words(copy);
  };

  const tables = () =>
    all("table").map((table) => ({
      caption: table.caption === null ? "" : words(table.caption),
      rows: [...table.rows].map((row) => [...row.cells].map(written)),
    }));

  const keyOf = (row, column) => (row.cells[column].dataset.sort ?? row.cells[column].textContent).trim();

  const isInOrder = (keys, turn) => {
    const filled = keys.filter((key) => key !== "");
    if (keys.slice(filled.length).some((key) => key !== "")) return false; // what has no value comes last
    const isNumeric = filled.every((key) => !Number.isNaN(Number(key)));
    const compare = isNumeric
      ? (one, other) => Number(one) - Number(other)
      : (one, other) => one.localeCompare(other, "en", { numeric: true, sensitivity: "base" });
    return filled.every((key, place) => place === 0 || turn * compare(filled[place - 1], key) <= 0);
  };

  // Turns each column of each table up, down and back as it was; complaints where anything is not as it should be.
  const sorted = () => {
    const complaints = [];
    let columns = 0;
    for (const table of all("table.sortable")) {
      const rows = () => [...table.tBodies[0].rows];
      const before = rows();
      const headers = [...table.tHead.rows[0].cells];
      headers.forEach((header, column) => {
        const complain = (what) => complaints.push(`${words(table.caption)}, ${words(header)}: ${what}`);
        const button = header.querySelector("button");
        if (button === null) return complain("has no button");
        for (const [state, turn] of [["ascending", 1], ["descending", -1]]) {
          button.click();
          if (header.getAttribute("aria-sort") !== state) complain(`is not told to be ${state}`);
          if (headers.filter((other) => other.hasAttribute("aria-sort")).length !== 1) complain("is not told alone");
          if (!isInOrder(rows().map((row) => keyOf(row, column)), turn)) complain(`is not ${state}`);
          if (new Set([...rows(), ...before]).size !== before.length) complain("loses rows");
        }
        button.click();
        if (header.hasAttribute("aria-sort")) complain("cannot be turned off");
        if (rows().some((row, place) => row !== before[place])) complain("does not come back");
        columns += 1;
      });
    }
    return { columns, complaints };
  };

  // Types the words of one row into the field of each table that can be filtered.
  const filtered = () => {
    const complaints = [];
    let fields = 0;
    for (const table of all("table.filterable")) {
      const rows = [...table.tBodies[0].rows];
      const box = table.parentElement.previousElementSibling;
      if (rows.length < 4) continue;
      fields += 1;
      const complain = (what) => complaints.push(`${words(table.caption)}: ${what}`);
      if (!box?.matches(".filter")) { complain("has no field"); continue; }
      const field = box.querySelector("input");
      const type = (text) => {
        field.value = text;
        field.dispatchEvent(new Event("input"));
      };
      const sought = words(rows.at(-1).cells[0]).split(" ").slice(0, 2);
      type(sought.join(" ").toUpperCase());
      for (const row of rows) {
        const has = sought.every((word) => words(row).toLowerCase().includes(word.toLowerCase()));
        if (has === row.hidden || has !== isShown(row)) complain(`shows another row for ${sought}`);
      }
      const left = rows.filter((row) => !row.hidden).length;
      if (!words(box.querySelector("[role=status]")).includes(`${left} of ${rows.length} rows`)) complain("counts wrong");
      type("");
      if (rows.some((row) => row.hidden)) complain("keeps rows hidden");
      if (field.labels.length !== 1 || !words(field.labels[0])) complain("has a field without a label");
    }
    return { fields, complaints };
  };

  // How the page fits into the window: how wide it is, what is cut off, and the smallest text that a person can see.
  const fit = () => {
    const cut = all("main *")
      .filter((element) => isShown(element) && !(element instanceof SVGElement))
      .filter((element) => ["hidden", "clip"].includes(getComputedStyle(element).overflowX))
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map(name);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let smallest = { size: Infinity, text: "" };
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      if (text === "" || !isShown(element) || element.closest("script, style, title, desc, .badge-line") !== null) continue;
      const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
      const scale = matrix === null ? 1 : Math.hypot(matrix.a, matrix.b);
      const size = Number.parseFloat(getComputedStyle(element).fontSize) * scale;
      if (size < smallest.size) smallest = { size, text, name: name(element) };
    }
    return { width: document.documentElement.scrollWidth, window: innerWidth, cut, smallest };
  };

  // Regions that scroll sideways must be reached by the keyboard, by themselves or by what they hold.
  const unreachable = () =>
    all("main *")
      .filter((element) => isShown(element) && ["auto", "scroll"].includes(getComputedStyle(element).overflowX))
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => element.tabIndex < 0 && element.querySelector("a, button, input") === null)
      .map(name);

  return { facts, tables, sorted, filtered, fit, unreachable };
})()
