// Tables that can be sorted and filtered; without this script they are tables all the same. On a narrow window the name
// of the page is brought into sight among the others.
{
  const key = (row, column) => {
    const cell = row.cells[column];
    return cell === undefined ? "" : (cell.dataset.sort ?? cell.textContent).trim();
  };
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const sortable = (table) => {
    const headers = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const asWritten = [...body.rows];
    headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => {
        const before = header.getAttribute("aria-sort");
        for (const other of headers) other.removeAttribute("aria-sort");
        if (before === "descending") {
          body.append(...asWritten);
          return;
        }
        header.setAttribute("aria-sort", before === "ascending" ? "descending" : "ascending");
        const turn = before === "ascending" ? -1 : 1;
        const keyed = asWritten.map((row) => [key(row, column), row]);
        const numeric = keyed.every(([text]) => text === "" || Number.isFinite(Number(text)));
        keyed.sort(([first], [second]) => {
          if (first === "" || second === "") return (first === "") - (second === "");
          return turn * (numeric ? first - second : collator.compare(first, second));
        });
        body.append(...keyed.map(([, row]) => row));
      });
    });
  };

  const filterable = (table, number) => {
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 4) return;
    const box = document.createElement("div");
    box.className = "filter";
    const label = document.createElement("label");
    const field = document.createElement("input");
    const told = document.createElement("span");
    field.type = "search";
    field.id = `filter-${number}`;
    field.autocomplete = "off";
    label.htmlFor = field.id;
    const where = document.createElement("span");
    where.className = "hidden";
    where.textContent = `: ${table.caption.textContent}`;
    label.append("Rows with these words", where);
    told.setAttribute("role", "status");
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      told.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
    });
    box.append(label, field, told);
    table.parentElement.before(box);
  };

  const here = document.querySelector("nav [aria-current]");
  if (here !== null) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 40;
  document.querySelectorAll("table.filterable").forEach(filterable);
  document.querySelectorAll("table.sortable").forEach(sortable);
}
