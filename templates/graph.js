"use strict";
/* The graph of a network: layers below the layers that they read from, with their times; drag, zoom, search.
   Ranks are longest paths, rows are ordered by the mean place of their neighbours (Sugiyama et al. 1981). A tensor that
   passes ranks has a chain of points that all of its readers share, so that edges lead around layers. */
const DlbricksGraph = (() => {
  const WIDE = 168, TALL = 46, GAP = 22, RANK = 78, POINT = 8, SWEEPS = 6;
  const SVG = "http://www.w3.org/2000/svg";
  const drawn = (tag, attributes = {}, ...children) => {
    const made = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

  /* Layers of the table of layer information, in order of execution, with the layers that they read from. */
  function layersOf(sheet) {
    const column = Object.fromEntries(sheet.columns.map((one) => [one.name, one]));
    const cell = (name, row) => {
      const value = column[name]?.cells[row] ?? null;
      return value === null || !column[name].texts ? value : column[name].texts[value];
    };
    const rows = [...column.layer.cells.keys()];
    const number = new Map(rows.map((row) => [cell("layer", row), row]));
    const total = rows.reduce((sum, row) => sum + (cell("latency_ns", row) ?? 0), 0) || 1;
    return rows.map((row) => ({
      name: cell("layer", row), type: cell("type", row), shape: cell("shape", row) ?? "",
      time: cell("latency_ns", row) ?? 0, share: (cell("latency_ns", row) ?? 0) / total,
      reads: (cell("inputs", row) ?? "").split(" ").map((name) => number.get(name)).filter((one) => one < row),
    }));
  }

  function layout(layers) {
    const nodes = layers.map((layer) => ({ layer, above: [], below: [], rank: 0, x: 0, wide: WIDE }));
    nodes.forEach((node) => {
      node.rank = Math.max(-1, ...node.layer.reads.map((read) => nodes[read].rank)) + 1;
    });
    const link = (from, to) => { from.below.push(to); to.above.push(from); };
    const readers = nodes.map(() => []);
    nodes.forEach((node) => node.layer.reads.forEach((read) => readers[read].push(node)));
    const all = [...nodes];
    nodes.forEach((node, at) => {
      let last = node;
      for (const reader of readers[at].toSorted((a, b) => a.rank - b.rank)) {
        while (last.rank < reader.rank - 1) {
          const point = { layer: null, above: [], below: [], rank: last.rank + 1, x: 0, wide: POINT };
          all.push(point);
          link(last, point);
          last = point;
        }
        link(last, reader);
      }
    });
    const ranks = [];
    all.forEach((node) => (ranks[node.rank] ??= []).push(node));
    const spread = (rank, side) => {
      const wished = (node) => (node[side].length ? mean(node[side].map((one) => one.x)) : node.x);
      const wishes = new Map(rank.map((node) => [node, wished(node)]));
      rank.sort((a, b) => wishes.get(a) - wishes.get(b));
      rank.forEach((node, at) => {
        const before = rank[at - 1];
        const least = before ? before.x + (before.wide + node.wide) / 2 + GAP : -Infinity;
        node.x = Math.max(wishes.get(node), least);
      });
      const off = mean(rank.map((node) => wishes.get(node) - node.x));
      rank.forEach((node) => { node.x += off; });
    };
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      ranks.forEach((rank) => spread(rank, "above"));
      if (sweep < SWEEPS - 1) ranks.toReversed().forEach((rank) => spread(rank, "below"));
    }
    const left = Math.min(...all.map((node) => node.x - node.wide / 2));
    all.forEach((node) => { node.x -= left; node.y = node.rank * RANK; });
    const width = Math.max(...all.map((node) => node.x + node.wide / 2));
    return { nodes, all, width, height: (ranks.length - 1) * RANK + TALL };
  }

  function show(place, sheet, colours, time) {
    const { nodes, all, width, height } = layout(layersOf(sheet));
    const edges = [];
    const most = Math.max(...nodes.map((node) => node.layer.time), 1);
    for (const node of all) {
      for (const next of node.below) {
        const [begin, end] = [node.y + (node.layer ? TALL : 0), next.y];
        const middle = (begin + end) / 2;
        const through = next.layer ? "" : ` L ${next.x} ${end + 0.01}`;
        edges.push(`M ${node.x} ${begin} C ${node.x} ${middle} ${next.x} ${middle} ${next.x} ${end}${through}`);
      }
    }
    const boxes = nodes.map((node) => {
      const { name, type, shape, share, time: ns } = node.layer;
      const figures = `${time(ns)} · ${(100 * share).toFixed(1)} %`;
      return drawn("g", { class: "layer", transform: `translate(${node.x - WIDE / 2} ${node.y})` },
        drawn("title", {}, [name, type, shape, figures].filter(Boolean).join("\n")),
        drawn("rect", { class: "ground", width: WIDE, height: TALL, rx: 5 }),
        drawn("rect", { class: "heat", width: WIDE, height: TALL, rx: 5, opacity: (0.5 * Math.sqrt(ns / most)).toFixed(3) }),
        drawn("rect", { width: 6, height: TALL, rx: 2, fill: colours[type] ?? "var(--other)" }),
        drawn("text", { x: 13, y: 19, class: "type" }, cut(type, 20)),
        drawn("text", { x: 13, y: 37, class: "figures" }, figures));
    });
    const world = drawn("g", {}, drawn("path", { class: "edges", d: edges.join(" ") }), ...boxes);
    const picture = drawn("svg", { tabindex: "0", role: "img", "aria-label": `Graph of ${nodes.length} layers with their times. Keys: arrows move, plus and minus zoom, 0 shows all, n goes to the next layer by time.` }, world);
    const status = element("output");
    const search = element("input", { type: "search", placeholder: "Layers that contain …", "aria-label": "Search layers" });
    const bar = element("div", { class: "bar" });
    place.append(bar, picture);

    let [scale, x, y] = [1, 0, 0];
    const put = () => {
      world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      picture.dataset.scale = scale.toFixed(4);
    };
    const size = () => [picture.clientWidth || 800, picture.clientHeight || 600];
    const centre = (node, wanted = Math.max(scale, 0.8)) => {
      scale = wanted;
      [x, y] = [size()[0] / 2 - node.x * scale, size()[1] / 2 - (node.y + TALL / 2) * scale];
      put();
    };
    const zoom = (factor, [atX, atY] = size().map((one) => one / 2)) => {
      const next = Math.min(3, Math.max(0.02, scale * factor));
      [x, y] = [atX - ((atX - x) * next) / scale, atY - ((atY - y) * next) / scale];
      scale = next;
      put();
    };
    const move = (right, down) => { x -= right; y -= down; put(); };
    const home = () => {
      scale = Math.min(1, Math.max(0.7, (size()[0] - 24) / width));
      [x, y] = [(size()[0] - width * scale) / 2, 12];
      if (width * scale > size()[0]) x = size()[0] / 2 - nodes[0].x * scale;
      put();
    };
    const fit = () => {
      scale = Math.min(1, (size()[0] - 24) / width, (size()[1] - 24) / height);
      [x, y] = [(size()[0] - width * scale) / 2, (size()[1] - height * scale) / 2];
      put();
    };
    const byTime = nodes.toSorted((a, b) => b.layer.time - a.layer.time);
    let [matching, at] = [byTime, -1];
    const next = () => {
      if (!matching.length) return;
      at = (at + 1) % matching.length;
      boxes.forEach((box, number) => box.classList.toggle("chosen", nodes[number] === matching[at]));
      const { name, type, share, time: ns } = matching[at].layer;
      status.textContent = `${at + 1} of ${matching.length} by time: ${name} (${type}), ${time(ns)}, ${(100 * share).toFixed(1)} %`;
      centre(matching[at]);
    };
    search.addEventListener("input", () => {
      const text = search.value.trim().toLowerCase();
      const fits = ({ layer }) => !text || `${layer.name} ${layer.type} ${layer.shape}`.toLowerCase().includes(text);
      [matching, at] = [byTime.filter(fits), -1];
      nodes.forEach((node, number) => boxes[number].classList.toggle("faded", !fits(node)));
      const sum = matching.reduce((total, node) => total + node.layer.time, 0);
      status.textContent = text ? `${matching.length} of ${nodes.length} layers, ${time(sum)}` : "";
    });
    search.addEventListener("keydown", (event) => { if (event.key === "Enter") next(); });
    for (const [text, label, act] of [
      ["+", "Zoom in", () => zoom(1.4)], ["−", "Zoom out", () => zoom(1 / 1.4)], ["all", "Show the whole graph", fit],
      ["begin", "Show the first layers", home], ["next by time", "Go to the layer that takes most time, then to the next", next],
    ]) {
      const button = element("button", { type: "button", "aria-label": label, title: label }, text);
      button.addEventListener("click", act);
      bar.append(button);
    }
    bar.append(search, status);
    let dragged = null;
    picture.addEventListener("pointerdown", (event) => {
      dragged = { x: event.clientX - x, y: event.clientY - y };
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      if (dragged) { x = event.clientX - dragged.x; y = event.clientY - dragged.y; put(); }
    });
    for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, () => { dragged = null; });
    picture.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = picture.getBoundingClientRect();
      zoom(Math.exp(-Math.sign(event.deltaY) * 0.25), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    picture.addEventListener("keydown", (event) => {
      const act = {
        "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit, n: next,
        ArrowLeft: () => move(-80, 0), ArrowRight: () => move(80, 0), ArrowUp: () => move(0, -80), ArrowDown: () => move(0, 80),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
    home();
    picture.dataset.drawn = String(nodes.length);
  }
  return { show };
})();
