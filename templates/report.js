"use strict";
/* Networks in tabs, charts, sortable tables, light and dark. All content lies in the page, in #content. */
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const panels = new Map(content.panels.map((panel) => [panel.id, panel]));
  const FIRST_ROWS = 200;

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  /* Charts. Colours that differ between light and dark are "--name" here, and names of CSS in the figures (plot.py). */
  const THEMED = { gray: "--faint", silver: "--thin", white: "--paper" };
  const themed = (value, key = "") => {
    if (typeof value === "string") {
      const name = key.endsWith("color") ? THEMED[value] ?? value : "";
      return name.startsWith("--") ? colour(name.slice(2)) : value;
    }
    if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((one) => themed(one, key));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, themed(one, name)]));
    }
    return value;
  };
  const axis = (own) => ({
    gridcolor: "--grid", zerolinecolor: "--line", linecolor: "--line", automargin: true, ...own,
    title: { text: "", font: { size: 12 }, standoff: 8, ...own.title },
  });
  const draw = (place) => {
    const figure = panels.get(place.dataset.panel).figures[Number(place.dataset.figure)];
    const axes = Object.entries(figure.layout).filter(([key]) => /^[xy]axis\d*$/.test(key));
    const layout = themed({
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", margin: { l: 60, r: 16, t: 12, b: 44 },
      font: { color: "--ink", size: 12, family: "system-ui, 'Segoe UI', 'Liberation Sans', sans-serif" },
      hoverlabel: { bgcolor: "--raised", bordercolor: "--line", font: { color: "--ink" }, align: "left", namelength: -1 },
      ...figure.layout,
      ...Object.fromEntries(axes.map(([key, own]) => [key, axis(own)])),
    });
    /* plotly's bar of buttons would cover legends and bars; a drag zooms, and a double click shows everything again */
    const options = { responsive: true, displayModeBar: false };
    return Plotly.react(place, themed(figure.data), layout, options).then(() => { place.dataset.drawn = "yes"; });
  };
  const waiting = new Set(document.querySelectorAll(".chart, .timeline, .graph"));
  const begin = (place) => {
    seen.unobserve(place);
    waiting.delete(place);
    const panel = panels.get(place.dataset.panel);
    if (place.matches(".chart")) draw(place);
    else if (place.matches(".timeline")) DlbricksTimeline.show(place, panel.timeline, content.colours, colour);
    else DlbricksGraph.show(place, panel.sheets.find((sheet) => sheet.id === "A2"), content.colours, DlbricksTimeline.time);
  };
  const seen = new IntersectionObserver((entries) => entries.filter((one) => one.isIntersecting).forEach((one) => begin(one.target)), { rootMargin: "400px" });
  waiting.forEach((place) => seen.observe(place));

  /* Light and dark. */
  const redraw = (resized = false) => {
    for (const place of document.querySelectorAll(".chart")) {
      if (waiting.has(place)) continue;
      if (resized) Plotly.purge(place);
      draw(place);
    }
    document.querySelectorAll(".timeline").forEach((place) => place.dispatchEvent(new Event("themed")));
  };
  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());

  /* Paper: everything is drawn, in dark on light, as wide as a page; afterwards the page is as before. */
  let screen = null;
  addEventListener("beforeprint", () => {
    const root = document.documentElement;
    screen = { theme: root.dataset.theme, hidden: [...document.querySelectorAll(".panel[hidden]")] };
    root.dataset.theme = "light";
    root.classList.add("printing");
    screen.hidden.forEach((panel) => { panel.hidden = false; });
    redraw(true);
    waiting.forEach(begin);
    document.querySelectorAll(".graph svg").forEach((picture) => picture.dispatchEvent(new KeyboardEvent("keydown", { key: "0" })));
  });
  addEventListener("afterprint", () => {
    const root = document.documentElement;
    if (screen.theme) root.dataset.theme = screen.theme; else delete root.dataset.theme;
    root.classList.remove("printing");
    redraw(true);
    screen.hidden.forEach((panel) => { panel.hidden = true; });
  });

  /* Tabs: arrow keys move between networks. */
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const open = (tab) => {
    for (const one of tabs) {
      const chosen = one === tab;
      one.setAttribute("aria-selected", String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      document.getElementById(one.getAttribute("aria-controls")).hidden = !chosen;
    }
  };
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      open(next);
      next.focus();
    });
  });

  /* Tables. */
  const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const integers = new Intl.NumberFormat("en");
  const worth = (column, row) => {
    const cell = column.cells[row];
    return cell === null || column.texts === undefined ? cell : column.texts[cell];
  };
  const shown = (column, row) => {
    const value = worth(column, row);
    if (value === null) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value !== "number") return value;
    if (column.scale === 1 && Number.isInteger(value)) return integers.format(value);
    const scaled = value / column.scale;
    return scaled !== 0 && (Math.abs(scaled) < 1e-4 || Math.abs(scaled) >= 1e9) ? scaled.toPrecision(4) : digits.format(scaled);
  };
  const order = (column, rows, ascending) => {
    const sign = ascending ? 1 : -1;
    const compare = (a, b) => {
      const [left, right] = [worth(column, a), worth(column, b)];
      if (left === null || right === null) return (left === null) - (right === null) || a - b;
      const difference = typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right;
      return sign * difference || a - b;
    };
    return rows.toSorted(compare);
  };
  const build = (details) => {
    const sheet = panels.get(details.dataset.panel).sheets[Number(details.dataset.sheet)];
    const total = sheet.columns[0]?.cells.length ?? 0;
    const state = { column: null, ascending: true, filter: "", limit: FIRST_ROWS };
    const body = element("tbody");
    const more = element("button", { type: "button" });
    const count = element("span", { class: "small", role: "status" });
    const fill = () => {
      let rows = [...Array(total).keys()];
      if (state.filter) {
        rows = rows.filter((row) => sheet.columns.some((one) => shown(one, row).toLowerCase().includes(state.filter)));
      }
      if (state.column !== null) rows = order(sheet.columns[state.column], rows, state.ascending);
      body.replaceChildren(...rows.slice(0, state.limit).map((row) => element("tr", {}, ...sheet.columns.map((column) => {
        const value = worth(column, row);
        const kind = value === null ? "absent" : typeof value === "string" && value.length <= 32 ? "word" : "";
        const cell = element("td", { class: column.scale === undefined ? kind : `number ${kind}` }, shown(column, row));
        if (typeof value === "number") cell.title = String(value);
        return cell;
      }))));
      more.hidden = rows.length <= state.limit;
      more.textContent = `Show all ${integers.format(rows.length)} rows`;
      count.textContent = state.filter ? `${integers.format(rows.length)} of ${integers.format(total)} rows` : "";
    };
    const heads = sheet.columns.map((column, place) => {
      const button = element("button", { type: "button", title: column.meaning || column.name }, column.heading);
      if (column.unit) button.append(" ", element("span", {}, column.unit));
      const head = element("th", { scope: "col", "aria-sort": "none", class: column.scale === undefined ? "" : "number" }, button);
      button.addEventListener("click", () => {
        const numbers = column.scale !== undefined;
        state.ascending = state.column === place ? !state.ascending : !numbers;
        state.column = place;
        heads.forEach((one) => one.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", state.ascending ? "ascending" : "descending");
        fill();
      });
      return head;
    });
    more.addEventListener("click", () => { state.limit = total; fill(); });
    for (const note of [...sheet.notes, ...(sheet.cut ? [`Shown: ${sheet.cut}.`] : [])]) {
      details.append(element("p", { class: "small" }, note));
    }
    if (total > 12) {
      const box = element("input", { type: "search", placeholder: "Rows that contain …", "aria-label": `Filter ${sheet.title}` });
      box.addEventListener("input", () => { state.filter = box.value.trim().toLowerCase(); fill(); });
      details.append(element("div", { class: "tools" }, box, count));
    }
    const table = element("table", { "aria-label": `${sheet.id} ${sheet.title}` }, element("thead", {}, element("tr", {}, ...heads)), body);
    details.append(element("div", { class: "frame", tabindex: "0" }, table), more);
    fill();
  };
  document.querySelectorAll("details.sheet").forEach((details) => {
    const fresh = () => { if (details.open && !details.querySelector("table")) build(details); };
    details.addEventListener("toggle", fresh);
    fresh();
  });
})();
