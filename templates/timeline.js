"use strict";
/* The timeline: blocks of nested spans on a canvas; lanes one below the other, one row for each level of nesting.
   Blocks of a row are sorted and do not overlap, so that only those in view are touched. */
const DlbricksTimeline = (() => {
  const ROW = 18, TITLE = 20, AXIS = 22, LEVELS = ["application", "model", "layer", "library", "kernel", "hardware"];
  const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]];

  const time = (ns, step = Math.abs(ns)) => {
    const [size, unit] = UNITS.find(([one]) => step >= one) ?? UNITS[3];
    return `${Number((ns / size).toPrecision(6))} ${unit}`;
  };
  const tickText = (ns, step, end) => {
    const [size, unit] = UNITS.find(([one]) => end >= one) ?? UNITS[3];
    return `${(ns / size).toFixed(Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9)))} ${unit}`;
  };
  const niceStep = (rough) => {
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((one) => one * power >= rough);
  };
  const firstAtLeast = (count, test) => {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(middle)) high = middle; else low = middle + 1;
    }
    return low;
  };
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const readable = (hex) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
    return red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? "#111111" : "#ffffff";
  };

  function show(place, data, colours, themed) {
    const rows = [];
    data.start_ns.forEach((_, block) => (rows[data.row[block]] ??= []).push(block));
    const laneOf = [];
    data.lanes.forEach((lane, at) => { for (let row = 0; row < lane.rows; row++) laneOf[lane.first_row + row] = at; });
    const top = (row) => AXIS + row * ROW + (laneOf[row] + 1) * TITLE;
    const height = AXIS + rows.length * ROW + data.lanes.length * TITLE + 6;
    const length = Math.max(1, data.length_ns);
    const middleCall = data.calls[data.calls.length >> 1];
    const home = middleCall ? padded(middleCall) : [0, length];
    let [from, to] = home;
    let pointed = -1;
    let asked = 0;

    function padded([start, end]) {
      const room = Math.max(1, (end - start) * 0.02);
      return [Math.max(0, start - room), Math.min(length, end + room)];
    }
    const whole = element("canvas", { class: "whole", "aria-hidden": "true" });
    const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": `Timeline. Keys: arrows move, plus and minus zoom, 0 shows all, n and p go to the next and previous ${data.unit}.` });
    const tip = element("div", { class: "tip", hidden: "" });
    const range = element("output");
    const bar = element("div", { class: "bar" });
    const keys = element("div", { class: "keys" });
    place.append(bar, whole, element("div", { class: "view" }, canvas), keys, tip);

    const look = (start, end) => {
      const width = Math.min(length, Math.max(20, end - start));
      from = Math.min(Math.max(0, start), length - width);
      to = from + width;
      asked ||= requestAnimationFrame(paint);
    };
    const zoom = (factor, at = (from + to) / 2) => look(at - (at - from) * factor, at + (to - at) * factor);
    const move = (share) => look(from + (to - from) * share, to + (to - from) * share);
    const call = (step) => {
      const middle = (from + to) / 2;
      const others = step > 0 ? data.calls.filter(([start]) => start > middle) : data.calls.filter(([, end]) => end < middle);
      const next = others.at(step > 0 ? 0 : -1);
      if (next) look(...padded(next));
    };
    const buttons = [
      ["+", "Zoom in", () => zoom(0.5)], ["−", "Zoom out", () => zoom(2)],
      ["◀", "Move left", () => move(-0.3)], ["▶", "Move right", () => move(0.3)],
      ...(data.calls.length > 1 ? [[`previous ${data.unit}`, "", () => call(-1)], [`next ${data.unit}`, "", () => call(1)]] : []),
      ["all", "Show the whole trace", () => look(0, length)],
    ];
    for (const [text, label, act] of buttons) {
      const button = element("button", { type: "button", ...(label ? { "aria-label": label, title: label } : {}) }, text);
      button.addEventListener("click", act);
      bar.append(button);
    }
    const search = element("input", { type: "search", placeholder: "Spans that contain …", "aria-label": "Search spans" });
    const status = element("output", { role: "status" });
    let found = null;
    search.addEventListener("input", () => {
      const text = search.value.trim().toLowerCase();
      const fits = data.texts.map((one) => one.toLowerCase().includes(text));
      found = text ? new Set(data.start_ns.keys().filter((block) => fits[data.name[block]] || fits[data.detail[block]])) : null;
      const sum = [...(found ?? [])].reduce((total, block) => total + data.duration_ns[block], 0);
      status.textContent = found ? `${found.size.toLocaleString("en")} spans, ${time(Number(sum.toPrecision(4)))} in all` : "";
      canvas.dataset.found = found ? found.size : "";
      asked ||= requestAnimationFrame(paint);
    });
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !found?.size) return;
      const others = [...found].sort((a, b) => data.start_ns[a] - data.start_ns[b]);
      pointed = others.find((block) => data.start_ns[block] > (from + to) / 2) ?? others[0];
      const room = data.duration_ns[pointed] * 2 + 1;
      look(data.start_ns[pointed] - room, data.start_ns[pointed] + data.duration_ns[pointed] + room);
    });
    bar.append(range, search, status);

    const fill = (block) => {
      if (data.spans[block] > 1) return themed("thin");
      const type = data.colour[block];
      if (type >= 0) return colours[data.texts[type]] ?? themed("other");
      return themed(data.level[block] <= 1 ? "call" : data.level[block] === 3 ? "launch" : "other");
    };
    const sized = (target, wide, tall) => {
      const ratio = window.devicePixelRatio || 1;
      target.width = Math.round(wide * ratio);
      target.height = Math.round(tall * ratio);
      const pen = target.getContext("2d");
      pen.scale(ratio, ratio);
      pen.font = "11.5px system-ui, 'Segoe UI', 'Liberation Sans', sans-serif";
      pen.textBaseline = "middle";
      return pen;
    };

    function paint() {
      asked = 0;
      const wide = canvas.clientWidth || 800;
      canvas.style.height = `${height}px`;
      const pen = sized(canvas, wide, height);
      const scale = wide / (to - from);
      const place_of = (ns) => (ns - from) * scale;
      const step = niceStep((to - from) / Math.max(2, wide / 130));
      pen.fillStyle = themed("faint");
      pen.strokeStyle = themed("grid");
      for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
        const x = place_of(tick);
        pen.beginPath();
        pen.moveTo(x, AXIS - 4);
        pen.lineTo(x, height);
        pen.stroke();
        pen.fillText(tickText(tick, step, to), x + 3, 10);
      }
      data.lanes.forEach((lane) => {
        const y = top(lane.first_row) - TITLE;
        pen.fillStyle = themed("raised");
        pen.fillRect(0, y, wide, TITLE - 3);
        pen.fillStyle = themed("faint");
        pen.fillText(lane.title, 6, y + TITLE / 2 - 1);
      });
      let drawn = 0;
      rows.forEach((blocks, row) => {
        const y = top(row);
        let covered = -1;
        const first = firstAtLeast(blocks.length, (at) => data.start_ns[blocks[at]] + data.duration_ns[blocks[at]] >= from);
        for (let at = first; at < blocks.length && data.start_ns[blocks[at]] <= to; at++) {
          const block = blocks[at];
          const left = Math.max(-1, place_of(data.start_ns[block]));
          const right = Math.min(wide + 1, place_of(data.start_ns[block] + data.duration_ns[block]));
          if (right < covered + 0.25 && block !== pointed && !found?.has(block)) continue;
          pen.globalAlpha = found && !found.has(block) ? 0.2 : 1;
          const size = Math.max(right - left, 0.75);
          pen.fillStyle = fill(block);
          pen.fillRect(left, y, size > 3 ? size - 0.5 : size, ROW - 2);
          drawn++;
          covered = left + size;
          if (block === pointed) {
            pen.strokeStyle = themed("ink");
            pen.lineWidth = 1.5;
            pen.strokeRect(left + 0.5, y + 0.5, Math.max(size - 1, 1), ROW - 3);
            pen.lineWidth = 1;
          }
          if (size > 24) label(pen, data.texts[data.name[block]], left, size, y);
        }
        pen.globalAlpha = 1;
      });
      arrow(pen, place_of);
      overview();
      range.textContent = `${tickText(from, step / 10, to)} to ${tickText(to, step / 10, to)} of ${time(length)}`;
      Object.assign(canvas.dataset, { drawn, from: Math.round(from), to: Math.round(to) });
    }
    function label(pen, text, left, size, y) {
      const room = size - 8;
      let shown = text;
      if (pen.measureText(shown).width > room) {
        let letters = Math.floor(room / 5);
        do shown = `${text.slice(0, --letters)}…`; while (letters > 2 && pen.measureText(shown).width > room);
        if (letters < 3) return;
      }
      const ground = pen.fillStyle;
      pen.fillStyle = readable(String(ground));
      pen.fillText(shown, left + 4, y + (ROW - 2) / 2);
    }
    function arrow(pen, place_of) {
      if (pointed < 0) return;
      const execution = data.launch[pointed] >= 0 ? pointed : data.launch.indexOf(pointed);
      if (execution < 0) return;
      const launch = data.launch[execution];
      pen.strokeStyle = themed("accent");
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(place_of(data.start_ns[launch] + data.duration_ns[launch] / 2), top(data.row[launch]) + ROW - 2);
      pen.lineTo(place_of(data.start_ns[execution]), top(data.row[execution]));
      pen.stroke();
      pen.lineWidth = 1;
    }
    function overview() {
      const wide = whole.clientWidth || 800;
      const pen = sized(whole, wide, 26);
      const scale = wide / length;
      rows.forEach((blocks, row) => {
        const y = 2 + (row * 22) / rows.length;
        let covered = -1;
        for (const block of blocks) {
          const right = (data.start_ns[block] + data.duration_ns[block]) * scale;
          if (right < covered + 0.5) continue;
          const left = Math.max(covered, data.start_ns[block] * scale);
          pen.fillStyle = fill(block);
          pen.fillRect(left, y, Math.max(0.7, right - left), Math.max(1, 22 / rows.length));
          covered = Math.max(right, left + 0.7);
        }
      });
      pen.fillStyle = themed("accent");
      pen.globalAlpha = 0.22;
      pen.fillRect(from * scale, 0, Math.max(2, (to - from) * scale), 26);
      pen.globalAlpha = 1;
      pen.strokeStyle = themed("accent");
      pen.strokeRect(from * scale + 0.5, 0.5, Math.max(2, (to - from) * scale - 1), 25);
    }

    const blockAt = (event) => {
      const box = canvas.getBoundingClientRect();
      const y = event.clientY - box.top;
      const ns = from + ((event.clientX - box.left) / box.width) * (to - from);
      const near = ((to - from) / box.width) * 1.5;
      const row = rows.findIndex((_, one) => y >= top(one) && y < top(one) + ROW - 1);
      if (row < 0) return -1;
      const at = firstAtLeast(rows[row].length, (one) => data.start_ns[rows[row][one]] + data.duration_ns[rows[row][one]] >= ns - near);
      const block = rows[row][at];
      return block !== undefined && data.start_ns[block] <= ns + near ? block : -1;
    };
    /* The names of the blocks around a block, outermost first: its stack; of an execution that of its launch. */
    const stack = (block) => {
      const launch = data.launch[block];
      const inner = launch >= 0 ? launch : block;
      const names = launch >= 0 ? [data.texts[data.name[launch]]] : [];
      const first = data.lanes[laneOf[data.row[inner]]].first_row;
      for (let row = data.row[inner] - 1; row >= first; row--) {
        const blocks = rows[row] ?? [];
        const at = firstAtLeast(blocks.length, (one) => data.start_ns[blocks[one]] > data.start_ns[inner]) - 1;
        const around = blocks[at];
        if (around !== undefined && data.start_ns[around] + data.duration_ns[around] >= data.start_ns[inner] + data.duration_ns[inner]) {
          names.unshift(data.texts[data.name[around]]);
        }
      }
      return names.join(" > ");
    };
    const point = (event) => {
      const block = blockAt(event);
      if (block !== pointed) { pointed = block; asked ||= requestAnimationFrame(paint); }
      tip.hidden = block < 0;
      if (block < 0) return;
      const lines = [
        `${time(data.duration_ns[block])}, at ${tickText(data.start_ns[block], Math.max(1, data.duration_ns[block] / 100), data.start_ns[block])}`,
        data.spans[block] > 1 ? "thinned" : LEVELS[data.level[block]], data.texts[data.detail[block]], stack(block),
      ];
      tip.replaceChildren(element("b", {}, data.texts[data.name[block]]), lines.filter(Boolean).join(" · "));
      const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
      const below = event.clientY + 16 + tip.offsetHeight < window.innerHeight;
      tip.style.left = `${Math.max(4, x)}px`;
      tip.style.top = `${below ? event.clientY + 16 : event.clientY - tip.offsetHeight - 10}px`;
    };
    let dragged = null;
    canvas.addEventListener("pointerdown", (event) => {
      dragged = { x: event.clientX, from, to };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!dragged) { point(event); return; }
      const shift = ((dragged.x - event.clientX) / canvas.clientWidth) * (dragged.to - dragged.from);
      look(dragged.from + shift, dragged.to + shift);
    });
    canvas.addEventListener("pointerup", () => { dragged = null; });
    canvas.addEventListener("pointerleave", () => { tip.hidden = true; pointed = -1; asked ||= requestAnimationFrame(paint); });
    canvas.addEventListener("dblclick", (event) => {
      const block = blockAt(event);
      if (block >= 0) look(...padded([data.start_ns[block], data.start_ns[block] + data.duration_ns[block]]));
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(Math.exp(Math.sign(event.deltaY) * 0.25), from + ((event.clientX - box.left) / box.width) * (to - from));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const act = {
        "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: () => look(0, length),
        ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), n: () => call(1), p: () => call(-1),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
    whole.addEventListener("pointerdown", (event) => {
      const middle = ((event.offsetX / whole.clientWidth) * length);
      look(middle - (to - from) / 2, middle + (to - from) / 2);
    });
    const explain = () => {
      const present = [...new Set(data.colour)].filter((one) => one >= 0).map((one) => data.texts[one]);
      const named = Object.keys(colours).filter((type) => present.includes(type));
      const entries = named.map((type) => [colours[type], type]);
      if (present.some((type) => !colours[type])) entries.push([themed("other"), "other types"]);
      if (data.level.includes(3)) entries.push([themed("launch"), "library"]);
      if (data.spans.some((count) => count > 1)) entries.push([themed("thin"), "thinned"]);
      keys.replaceChildren(...entries.map(([tone, text]) => element("span", {}, element("i", { style: `background: ${tone}` }), text)));
      keys.append(element("span", {}, "drag to move, Ctrl and wheel to zoom, double click to fill the width with a block"));
    };
    place.addEventListener("themed", () => { explain(); paint(); });
    new ResizeObserver(() => { asked ||= requestAnimationFrame(paint); }).observe(place);
    explain();
    paint();
  }
  return { show, time: (ns) => time(Number(ns.toPrecision(4))) };
})();
