"use strict";
(() => {
  const make = (tag, props, ...kids) => {
    const node = Object.assign(document.createElement(tag), props);
    node.append(...kids);
    return node;
  };
  const reveal = () => {
    const id = location.hash.slice(1); // ids of a page need no decoding, and other fragments may not be decodable
    const aim = id && document.getElementById(id);
    if (!aim) return;
    let node = aim.closest("details");
    while (node) {
      node.open = true;
      node = node.parentElement && node.parentElement.closest("details");
    }
    aim.scrollIntoView({ block: aim.localName === "details" ? "start" : "center" });
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  const order = "rubedpo";
  const worth = (cell) => {
    if (!cell) return "";
    const look = order.indexOf(cell.className || " ");
    if (cell.closest(".board") && cell.tagName === "TD" && !cell.classList.contains("n"))
      return look < 0 ? 99 : look - (parseInt(cell.textContent.replace(/\D+/, ""), 10) || 1) / 1e6;
    const text = cell.textContent.trim();
    const number = /^(?:[<>]=? )?([-+]?[\d,]*\.?\d+)(?=$|[\s/])/.exec(text);
    return number ? parseFloat(number[1].replaceAll(",", "")) : text === "-" ? Infinity : text;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number"
      ? a - b || 0
      : String(a).localeCompare(String(b), "en", { numeric: true });
  const sort = (table, at, down) => {
    for (const body of table.tBodies) {
      const rows = [...body.rows].map((row) => [worth(row.cells[at]), row]);
      rows.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
      body.append(...rows.map((pair) => pair[1]));
    }
  };
  for (const table of document.querySelectorAll("table.sort")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        sort(table, at, down);
      });
    });
  }

  const kinds = { f: "failed", u: "not measured", d: "degraded", p: "wholly passed" };
  document.querySelectorAll("table.sift").forEach((table) => {
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const told = make("output", {});
    const search = make("input", { type: "search", placeholder: "part of a case id" });
    const boxes = Object.entries(kinds).map(([kind, word]) => {
      const box = make("input", { type: "checkbox", checked: true, value: kind });
      return [box, make("label", {}, box, `${word} (${table.dataset[kind]})`)];
    });
    const texts = rows.map((row) => row.cells[0].textContent.toLowerCase());
    const sift = () => {
      const wanted = boxes.filter(([box]) => box.checked).map(([box]) => box.value);
      const text = search.value.trim().toLowerCase();
      let shown = 0;
      rows.forEach((row, at) => {
        const fits = wanted.some((kind) => row.dataset.o.includes(kind)) && texts[at].includes(text);
        row.hidden = !fits;
        shown += fits;
      });
      told.textContent = `${shown} of ${rows.length} rows`;
    };
    const tools = make("fieldset", { className: "tools" }, make("label", {}, "filter", search));
    tools.setAttribute("aria-label", "filter the board");
    tools.append(...boxes.map((pair) => pair[1]), told);
    tools.addEventListener("input", sift);
    table.parentElement.before(tools);
    sift();
  });

  const trials = [...document.querySelectorAll("details.trial")];
  if (trials.length > 1) {
    const all = (open, text) => {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => trials.forEach((one) => { one.open = open; }));
      return button;
    };
    trials[0].before(make("p", { className: "tools" }, all(true, "open all"), all(false, "close all")));
  }
})();
