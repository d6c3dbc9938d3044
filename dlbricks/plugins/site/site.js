"use strict";
/* Pages of a store by the part of the address after #. All figures lie in the page, in #content; texts are only ever set as text. */
(() => {
  const content = JSON.parse(document.getElementById("content").textContent);
  const { systems, sequences, networks, histories, constants } = content;
  const main = document.getElementById("main");
  const search = document.getElementById("search");
  const how = document.getElementById("how");
  const FIRST_ROWS = 200;
  const EVERY = "";
  const leftOut = new Set();
  let sorted = { by: null, down: false };

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
    made.append(...children);
    return made;
  };
  const time = (ns, digits = 4) => {
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) if (Math.abs(ns) >= size) return `${Number((ns / size).toPrecision(digits))} ${unit}`;
    return `${Math.round(ns)} ns`;
  };
  const signed = (share) => `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)} %`;
  const times = (ratio) => ratio.toFixed(3);
  const address = (page, given) => `#${page}?${new URLSearchParams(given)}`;
  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const title = (place) => {
    const one = systems[place];
    return [one.name, counted(one.threads, "thread"), one.runtime, one.provider, one.options].filter(Boolean).join(" · ");
  };
  /* Addresses name a system by all of its configuration, since its position changes when the page is written again. */
  const idOf = (place) => [systems[place].name, systems[place].runtime, systems[place].kind, systems[place].options].filter(Boolean).join(" ");
  const placeOf = (id) => systems.findIndex((_, place) => idOf(place) === id);
  const unknown = (what, id) => [element("h2", {}, `Unknown ${what}`), element("p", { class: "none" }, `This page has no ${what} "${id}". `, element("a", { href: what === "network" ? "#networks" : "#ranking" }, `All ${what === "network" ? "networks" : "systems"}`))];
  /* A sequence as the suites that systems ran call it. */
  const called = (place, ...by) => [...new Set(by.map((one) => one.names[place] ?? sequences[place][1]))].join(" | ");
  const trust = (word) => element("span", { class: `trust ${word}` }, word);
  const matches = (...texts) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };

  /* A table: columns are [label, class, key to sort by]; rows are {cells, keys, class}. */
  const table = (columns, rows, most = FIRST_ROWS) => {
    const head = element("tr");
    columns.forEach(([label, kind, sorts], place) => {
      const cell = element("th", { class: kind, scope: "col", "aria-sort": sorted.by === label ? (sorted.down ? "descending" : "ascending") : null });
      if (sorts === false) { cell.append(element("span", { class: "small" }, label)); head.append(cell); return; }
      const button = element("button", { type: "button" }, label);
      button.addEventListener("click", () => {
        sorted = { by: label, down: sorted.by === label ? !sorted.down : kind.includes("number"), place };
        show();
      });
      cell.append(button);
      head.append(cell);
    });
    const place = columns.findIndex(([label]) => label === sorted.by);
    if (place >= 0) {
      const way = sorted.down ? -1 : 1;
      rows = [...rows].sort((one, other) => {
        const [a, b] = [one.keys[place], other.keys[place]];
        return way * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
      });
    }
    const body = element("tbody");
    const fill = (from, to) => body.append(...rows.slice(from, to).map((row) => {
      const made = element("tr", { class: row.class ?? null });
      row.cells.forEach((cell, index) => made.append(element("td", { class: columns[index][1] }, cell)));
      return made;
    }));
    fill(0, most);
    const frame = element("div", { class: "frame" }, element("table", {}, element("thead", {}, head), body));
    if (!rows.length) frame.append(element("p", { class: "none" }, "No entry matches the search."));
    const parts = [frame];
    if (rows.length > most) {
      const more = element("button", { type: "button", class: "more" }, `Show all ${rows.length} rows`);
      more.addEventListener("click", () => { fill(most, rows.length); more.remove(); });
      parts.push(more);
    }
    return parts;
  };

  const choice = (label, options, chosen, change) => {
    const made = element("select", {}, ...options.map(([value, text]) => element("option", { value, selected: String(value) === String(chosen) }, text)));
    made.addEventListener("change", () => change(made.value));
    const text = options.find(([value]) => String(value) === String(chosen))?.[1] ?? "";
    return element("label", { "data-chosen": text }, label, made);
  };

  /* Two systems side by side, as dlbricks.construct.versus compares them. */
  const together = (reaches) => {
    let alone = 0; let sum = 0;
    for (const one of reaches) { alone += one * one; sum += one; }
    return Math.sqrt((1 - constants.together) * alone + constants.together * sum * sum);
  };
  const medianOf = (values) => {
    const ordered = [...values].sort((a, b) => a - b);
    const middle = ordered.length >> 1;
    return { ordered, median: ordered.length % 2 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2 };
  };
  const medianReach = (values) => {
    /* Half of the interval of a median: ranks by the binomial distribution; see dlbricks.harness.stats. */
    const { ordered } = medianOf(values);
    const count = ordered.length;
    if (count < 2) return 0;
    const rank = Math.max(1, Math.round((count + 1) / 2 - Math.sqrt(count)));
    let outside = 0; let term = -count * Math.LN2;
    for (let below = 0; below < rank; below += 1) { outside += Math.exp(term); term += Math.log((count - below) / (below + 1)); }
    return (1.959963985 / (2 * quantile(1 - outside))) * (ordered[count - rank] - ordered[rank - 1]);
  };
  const quantile = (share) => {
    /* Of the normal distribution: bisection of its distribution function, by the series of erf. */
    const below = (x) => { let sum = x; let term = x; for (let k = 1; k < 200; k += 1) { term *= (x * x) / (2 * k + 1); sum += term; } return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI); };
    let [low, high] = [0, 9];
    for (let step = 0; step < 60; step += 1) { const x = (low + high) / 2; if (below(x) < share) low = x; else high = x; }
    return low;
  };
  /* Estimates of a network on two systems by the same split, which both have measured. */
  const common = (a, b, network) => {
    for (const one of systems[a].estimates[network]) {
      const two = systems[b].estimates[network].find((each) => each.split === one.split);
      if (two) return [one, two];
    }
    return null;
  };
  const versus = (a, b, network) => {
    const [first, second] = [systems[a], systems[b]];
    let uses;
    if (network === EVERY) {
      uses = sequences.map((_, place) => [place, 1, first.ns[place], second.ns[place]]);
    } else {
      const [one, two] = common(a, b, network) ?? [{ rows: [] }, { rows: [] }];
      const other = new Map(two.rows.map(([place, , ns]) => [place, ns]));
      uses = one.rows.map(([place, count, ns]) => [place, count, ns, other.get(place) ?? 0]);
    }
    const measured = uses.filter(([place]) => first.ns[place] && second.ns[place]);
    const used = measured.filter(([place]) => !leftOut.has(place));
    const totals = [0, 0];
    for (const [, , one, two] of used) { totals[0] += one; totals[1] += two; }
    const rows = measured.map(([place, count, one, two]) => {
      const ratio = Math.max(1, two) / Math.max(1, one);
      return { place, count, one, two, ratio, reach: Math.hypot(first.half[place], second.half[place]), out: leftOut.has(place), explains: (two - one) / Math.max(1, totals[0]) };
    });
    const kept = rows.filter((row) => !row.out);
    const alike = first.kind === second.kind;
    let ratio = 1; let sampling = 0;
    if (network !== EVERY) {
      ratio = Math.max(1, totals[1]) / Math.max(1, totals[0]);
      sampling = together(kept.map((row) => ((row.one / Math.max(1, totals[0]) + row.two / Math.max(1, totals[1])) / 2) * row.reach));
    } else if (kept.length) {
      const logs = kept.map((row) => Math.log(row.ratio));
      ratio = Math.exp(medianOf(logs).median);
      sampling = Math.max(together(kept.map((row) => row.reach / kept.length)), medianReach(logs));
    }
    const starts = [...first.started_ms, ...second.started_ms];
    const parts = {
      sampling,
      drift: Math.hypot(first.drift, second.drift),
      hours: alike && Math.max(...starts) - Math.min(...starts) <= constants.hour_ms ? 0 : Math.hypot(first.hours, second.hours) / Math.SQRT2,
      composing: network === EVERY ? 0 : alike ? constants.one_kind : constants.two_kinds,
    };
    const factor = Math.max(first.excess, second.excess) * Math.max(1, kept.length) ** (1 / constants.tail);
    for (const row of rows) row.apart = factor * Math.hypot(row.reach, parts.drift, constants.floor);
    const all = Math.hypot(parts.sampling, parts.drift, parts.hours, parts.composing);
    rows.sort((one, other) => Math.abs(other.explains) - Math.abs(one.explains));
    return { rows, kept, totals, ratio, low: ratio * Math.exp(-all), high: ratio * Math.exp(all), parts };
  };

  /* Ranking, as dlbricks.plugins.site.ranking computes it for the page without filters. */
  const commonNetworks = (timesOf) => {
    const known = timesOf.map((times) => times.flatMap((each, place) => each ? [place] : [])).sort((a, b) => b.length - a.length);
    let [chosen, most, shared] = [[], -1, known[0] ?? []];
    known.forEach((own, count) => {
      const has = new Set(own);
      shared = shared.filter((place) => has.has(place));
      if (shared.length && count * shared.length >= most) [chosen, most] = [shared, count * shared.length];
    });
    return chosen;
  };
  const ranked = (timesOf, chosen) => {
    const means = timesOf.map((times, system) => ({ system, own: chosen.map((place) => times[place]) })).filter(({ own }) => own.length && own.every(Boolean)).map(({ system, own }) => {
      const mean = (end) => Math.exp(own.reduce((sum, each) => sum + Math.log(Math.max(1, each[end])), 0) / own.length);
      return { system, ns: mean(0), low: mean(1) * own.every((each) => each[1] > 0), high: mean(2) };
    }).sort((a, b) => a.ns - b.ns);
    return means.map((one) => ({ ...one, first: 1 + means.filter((each) => each.high < one.low).length, last: means.filter((each) => each.low <= one.high).length }));
  };
  const timesOfNetwork = (place) => systems.map(({ figures }) => [figures[place]?.high ? [figures[place].ns, figures[place].low, figures[place].high] : null]);
  const facets = {
    runtime: (one) => [one.runtime],
    provider: (one) => [one.provider],
    threads: (one) => [String(one.threads)],
    precision: (one) => one.figures.flatMap((each) => each ? [each.precision] : []),
    trust: (one) => [one.trust],
  };
  const open = { networks: false };
  const runtimeOf = (one) => one.options ? `${one.runtime}, ${one.options}` : one.runtime;
  const setup = (one) => [runtimeOf(one), one.provider, counted(one.threads, "thread")].join(" \u00b7 ");
  /* Badges of the least trusted result behind some figures, and of what makes them less certain. */
  const marked = (one, figures) => {
    const tiers = figures.map((each) => each.trust).filter(Boolean);
    const marks = [...new Set(figures.flatMap((each) => each.marks))];
    return element("span", {}, trust(tiers.includes("unconfirmed") ? "unconfirmed" : tiers.length === 1 ? tiers[0] : one.trust), ...marks.flatMap((text) => [" ", element("span", { class: "trust mark" }, text)]));
  };
  const reach = (each) => each.low > 0 ? `${time(each.low, 3)} to ${time(each.high, 3)}` : "no interval";
  const rankOf = (each, index) => element("span", {}, String(index + 1), ...(each.first < each.last ? [element("span", { class: "small" }, ` (${each.first}\u2013${each.last})`)] : []));
  const brackets = (places, share) => places.some((each) => each.first < each.last) ? `Ranks in brackets are possible, too, since ${share} intervals overlap. ` : "";
  const slowest = (places) => 1.1 * Math.max(...places.map((each) => each.ns), 1);
  const bar = (each, most) => {
    const [mean, reach] = [element("b"), element("i")];
    mean.style.width = `${(100 * each.ns / most).toFixed(2)}%`;
    reach.style.left = `${(100 * each.low / most).toFixed(2)}%`;
    reach.style.width = each.low > 0 ? `${(100 * (each.high - each.low) / most).toFixed(2)}%` : "0";
    return element("span", { class: "track" }, mean, reach);
  };
  const systemCell = (place, figures, below) => {
    const one = systems[place];
    return element("span", {}, element("a", { href: address("system", { id: idOf(place) }) }, one.name), element("span", { class: "narrow small" }, setup(one), " ", marked(one, figures), ...(below ? [below.cloneNode(true)] : [])));
  };

  const pages = {
    ranking(given) {
      const filters = Object.keys(facets).map((name) => [name, given.getAll(name)]);
      const share = networks.length ? "90 %" : "95 %";
      const since = given.get("since") ?? "";
      const kept = (one) => filters.every(([name, wanted]) => !wanted.length || facets[name](one).some((value) => wanted.includes(value)))
        && (!since || one.newest >= since) && matches(one.name, one.runtime, one.provider, one.options, one.trust, one.key, ...one.facts.flat());
      const precisions = given.getAll("precision");
      const timesOf = systems.map((one) => kept(one) ? (networks.length
        ? one.figures.map((each) => each?.high && (!precisions.length || precisions.includes(each.precision)) ? [each.ns, each.low, each.high] : null)
        : one.ns.map((ns, place) => ns ? [ns, ns * (1 - one.half[place]), ns * (1 + one.half[place])] : null)) : []);
      const strange = given.getAll("network").find((name) => name && !networks.includes(name));
      if (strange) return unknown("network", strange);
      const own = given.getAll("network").map((name) => networks.indexOf(name)).filter((place) => place >= 0);
      const chosen = given.has("network") ? own : commonNetworks(timesOf);
      const places = ranked(timesOf, chosen);
      const matching = systems.filter(kept).length;
      const go = (name, values) => {
        const next = new URLSearchParams(given);
        next.delete(name);
        values.forEach((value) => next.append(name, value));
        location.hash = address("ranking", next);
      };
      /* An empty choice of networks is one, too; without a choice the default set holds. */
      const toggled = (name, values) => name === "network" && !values.length ? [""] : values;
      const chips = (label, name, values, pressed) => element("div", { class: "chips", role: "group", "aria-label": label }, element("span", { class: "label", "data-chosen": pressed.join(", ") || "all" }, label), ...values.map((value) => {
        const on = pressed.includes(value);
        const made = element("button", { type: "button", "aria-pressed": String(on), "aria-label": `${label}: ${value}` }, value);
        made.addEventListener("click", () => go(name, toggled(name, on ? pressed.filter((each) => each !== value) : [...pressed, value])));
        return made;
      }));
      const valuesOf = (of) => [...new Set(systems.flatMap(of))].filter(Boolean).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
      const days = valuesOf((one) => [one.newest.slice(0, 10)]).reverse();
      const form = element("div", { class: "filters" }, ...filters.map(([name, wanted]) => [name, valuesOf(facets[name]), wanted]).filter(([, values]) => values.length).map(([name, values, wanted]) => chips(name, name, values, wanted)),
        choice("measured since", [["", "any day"], ...days.map((day) => [day, day])], since, (value) => go("since", value ? [value] : [])));
      if (networks.length) {
        const button = (text, values) => { const made = element("button", { type: "button", "aria-label": `networks: ${text}` }, text); made.addEventListener("click", () => { open.networks = true; go("network", values); }); return made; };
        const all = element("details", { open: open.networks }, element("summary", {}, `Networks: ${chosen.length} of ${networks.length}`),
          element("p", { class: "small" }, "The default set maximises the number of common networks times the number of systems after the first. ", button("default", []), " ", button("all", networks), " ", button("none", [""])),
          chips("network", "network", networks, chosen.map((place) => networks[place])));
        all.addEventListener("toggle", () => { open.networks = all.open; });
        form.append(all);
      }
      const most = slowest(places);
      const columns = [["rank", "number"], ["system", "system"], ["runtime", "minor runtime"], ["provider", "minor"], ["threads", "number minor"], ["precision", networks.length ? "minor day" : "absent"], ["trust", "minor"], ["newest run", "minor day"], ["mean", "number"], [share, "number minor interval"], ["relative", "number"], ["time", "bar", false]];
      const rows = places.map((each, index) => {
        const one = systems[each.system];
        const figures = networks.length ? chosen.map((place) => one.figures[place]) : [];
        const precision = [...new Set(figures.map((figure) => figure.precision))].sort().join(", ");
        return { cells: [rankOf(each, index), systemCell(each.system, figures, bar(each, most)), runtimeOf(one), one.provider, String(one.threads), precision, marked(one, figures), one.newest.slice(0, 10), time(each.ns), reach(each), (each.ns / places[0].ns).toFixed(2), bar(each, most)],
          keys: [index, one.name, runtimeOf(one), one.provider, one.threads, precision, one.trust, one.newest, each.ns, each.high - each.low, each.ns] };
      });
      const what = networks.length ? counted(chosen.length, "network") : `${counted(chosen.length, "layer sequence")} (written without networks: dlbricks site --model)`;
      const clear = element("button", { type: "button" }, "Clear all filters");
      clear.addEventListener("click", () => { location.hash = "#ranking"; });
      const reason = !matching ? "No system matches the filters and the search."
        : given.has("network") && !chosen.length ? "No network is chosen."
        : `Of the systems that match the filters and the search (${matching}), none has measured all layer sequences of ${chosen.length ? `the ${counted(chosen.length, "chosen network")}` : "a network"}.`;
      const found = networks.filter((name) => search.value && matches(name)).length;
      const instead = found ? [" Names of networks with this text: ", element("a", { href: address("networks", { search: search.value }) }, counted(found, "network")), "."] : [];
      const ranks = places.length === 1 ? "Ranked is the only system that has" : `Ranked are the ${places.length} systems that have`;
      const parts = [element("h2", {}, "Ranking"), ...(places.length
        ? [element("p", {}, `Geometric mean of the ${networks.length ? "estimated " : ""}latencies of ${what}. ${ranks} measured all ${networks.length ? "layer sequences of these" : "of them"}. Less is better.`), form, ...table(columns, rows)]
        : [element("p", { id: "none" }, `${reason} `, clear, ...instead), form])];
      if (places.length) parts.push(element("p", { class: "small" }, `${brackets(places, share)}The interval of a mean assumes that all of its parts err in the same direction. Nothing is filled in for what a system has not measured.`));
      const placed = new Set(places.map((each) => each.system));
      const others = systems.map((one, place) => ({ one, place })).filter(({ one, place }) => !placed.has(place) && kept(one));
      if (others.length && chosen.length) {
        const lacking = (place) => chosen.filter((each) => !timesOf[place][each]).length;
        parts.push(element("h3", {}, "Not ranked: measurements are missing"), ...table([["system", "system"], ["runtime", "minor runtime"], ["provider", "minor"], ["threads", "number minor"], ["trust", "minor"], ["newest run", "minor day"], ["missing", "number"]], others.map(({ one, place }) => ({
          cells: [systemCell(place, []), runtimeOf(one), one.provider, String(one.threads), trust(one.trust), one.newest.slice(0, 10), `${lacking(place)} of ${chosen.length}`],
          keys: [one.name, runtimeOf(one), one.provider, one.threads, one.trust, one.newest, lacking(place)],
        }))));
      }
      if (content.withdrawn.length) parts.push(element("h3", {}, "Systems whose results are all withdrawn"), ...runsOf(content.withdrawn, true));
      return parts;
    },
    system(given) {
      const place = placeOf(given.get("id"));
      const one = systems[place];
      if (!one) return unknown("system", given.get("id"));
      const facts = element("dl", { class: "facts" });
      const add = (label, value) => facts.append(element("dt", {}, label), element("dd", {}, value));
      add("runtime", `${one.runtime}, ${one.provider}, ${one.threads === 1 ? "1 thread" : `${one.threads} threads`}${one.options ? `, ${one.options}` : ""}`);
      add("measured", [...new Set(one.started_ms.map((ms) => new Date(ms).toISOString().slice(0, 10)))].join(" to "));
      add("trust", trust(one.trust));
      add("signed by", one.key ? element("span", { class: "mono" }, one.key) : "not signed: the name has no owner");
      if (one.keys.length > 1) one.keys.forEach(([key, since, why, file]) => add("key of the name", element("span", {}, element("span", { class: "mono" }, key), ` since ${since}: ${why} `, ...signedBy(file))));
      one.facts.forEach(([label, value]) => add(label, value));
      one.commands.forEach((text) => add("command", element("code", {}, text)));
      const beside = systems.length > 1 ? [element("p", {}, element("a", { href: address("compare", { a: idOf(place), b: idOf(place ? 0 : 1) }) }, "Compare with another system"))] : [];
      const rows = sequences.map(([fingerprint], index) => ({ fingerprint, name: called(index, one), ns: one.ns[index], half: one.half[index] }))
        .filter((row) => row.ns && matches(row.name, row.fingerprint)).sort((a, b) => b.ns - a.ns)
        .map((row) => ({ cells: [row.name, element("span", { class: "mono" }, row.fingerprint.slice(0, 12)), time(row.ns), `±${(100 * row.half).toFixed(1)} %`], keys: [row.name, row.fingerprint, row.ns, row.half] }));
      const own = networks.map((name, index) => ({ name, figure: one.figures[index] })).filter(({ name, figure }) => figure && matches(name)).sort((a, b) => b.figure.ns - a.figure.ns).map(({ name, figure }) => ({
        cells: [element("a", { href: address("network", { name }) }, name), marked(one, [figure]), figure.measured, time(figure.ns), reach(figure)], keys: [name, figure.trust, figure.measured, figure.ns, (figure.high ?? 0) - figure.low],
      }));
      const ofNetworks = networks.length ? [element("h3", {}, "Networks"), ...table([["network", ""], ["trust", "minor"], ["measured", "minor day"], ["latency", "number"], ["90 %", "number"]], own)] : [];
      return [element("h2", {}, one.name), facts, ...beside, ...ofNetworks, ...(one.runs.length ? [element("h3", {}, "Results"), ...runsOf(one.runs, false)] : []),
        element("h3", {}, "Sequences"), ...table([["sequence", ""], ["fingerprint", "minor"], ["latency", "number"], ["95 %", "number"]], rows)];
    },
    networks() {
      if (!networks.length) return [element("h2", {}, "Networks"), element("p", { class: "none" }, "This page was written without networks (dlbricks site --model).")];
      const rows = content.about.filter(({ name, precision }) => matches(name, precision)).map((each) => {
        const place = networks.indexOf(each.name);
        const [first] = ranked(timesOfNetwork(place), [0]);
        const count = systems.filter((one) => one.figures[place]).length;
        const fastest = first ? element("span", {}, systems[first.system].name, element("span", { class: "small" }, ` ${setup(systems[first.system])}`)) : "";
        return { cells: [element("a", { href: address("network", { name: each.name }) }, each.name), each.precision, String(each.layers), String(each.sequences), (each.flops / 1e9).toPrecision(3), String(count), fastest, first ? time(first.ns) : ""],
          keys: [each.name, each.precision, each.layers, each.sequences, each.flops, count, first ? systems[first.system].name : "", first?.ns ?? Infinity] };
      });
      return [element("h2", {}, "Networks"), ...table([["network", ""], ["precision", "minor"], ["layers", "number minor"], ["sequences", "number minor"], ["Gflop", "number minor"], ["systems", "number minor"], ["fastest", ""], ["latency", "number"]], rows)];
    },
    network(given) {
      const place = networks.indexOf(given.get("name"));
      if (place < 0) return unknown("network", given.get("name"));
      const about = content.about[place];
      const places = ranked(timesOfNetwork(place), [0]);
      const most = slowest(places);
      const order = [...places, ...systems.map((one, system) => ({ system })).filter(({ system }) => systems[system].figures[place] && !systems[system].figures[place].high)];
      const rows = order.map((each, index) => {
        const one = systems[each.system]; const figure = one.figures[place];
        return { one, cells: [figure.high ? rankOf(each, index) : "", systemCell(each.system, [figure], figure.high ? bar(each, most) : null), runtimeOf(one), one.provider, String(one.threads), marked(one, [figure]), figure.measured, time(figure.ns), reach(figure), figure.high ? (figure.ns / places[0].ns).toFixed(2) : "", figure.high ? bar(each, most) : ""],
          keys: [index, one.name, runtimeOf(one), one.provider, one.threads, figure.trust, figure.measured, figure.ns, (figure.high ?? 0) - figure.low, figure.ns] };
      }).filter(({ one }) => matches(one.name, one.runtime, one.provider, one.trust));
      const missing = systems.length - order.length;
      const splits = new Map();
      order.forEach(({ system }, index) => { const each = systems[system].figures[place]; const how = `${each.split}, ${each.rule}`; splits.set(how, [...(splits.get(how) ?? []), index + 1]); });
      const notes = [...splits].map(([how, of]) => element("p", { class: "small" }, `Composed of sequences split by ${how}${splits.size > 1 ? `: rows ${of.join(", ")}` : ""}.`));
      notes.push(...order.flatMap(({ system }) => systems[system].figures[place].remarks.map((text) => element("p", { class: "small" }, `${title(system)}: ${text}.`))));
      return [element("h2", {}, about.name), element("p", {}, `${counted(about.layers, "layer")}, ${counted(about.sequences, "different sequence")}, ${(about.flops / 1e9).toPrecision(3)} Gflop, most weights ${about.precision || "absent"}. Latencies are estimates from the sequences that each system has measured, with 90 % intervals. ${brackets(places, "90 %")}`),
        ...table([["rank", "number"], ["system", "system"], ["runtime", "minor runtime"], ["provider", "minor"], ["threads", "number minor"], ["trust", "minor"], ["measured", "minor day"], ["latency", "number"], ["90 %", "number minor interval"], ["relative", "number"], ["time", "bar", false]], rows), ...notes,
        ...(missing ? [element("p", { class: "small" }, `${counted(missing, "system")} did not measure all sequences of this network.`)] : [])];
    },
    compare(given) {
      const parts = [element("h2", {}, "Two systems side by side")];
      if (systems.length < 2) return [...parts, element("p", { class: "none" }, "This page shows fewer than two systems.")];
      const [first, second] = [given.get("a") ?? idOf(0), given.get("b") ?? idOf(1)];
      const [a, b] = [placeOf(first), placeOf(second)];
      const asked = given.get("network") ?? EVERY;
      const network = asked === EVERY ? EVERY : networks.indexOf(asked);
      if (a < 0 || b < 0) return unknown("system", a < 0 ? first : second);
      if (network < 0) return unknown("network", asked);
      const go = (change) => { location.hash = address("compare", { ...Object.fromEntries(given), a: first, b: second, ...change }); };
      const names = systems.map((_, place) => [idOf(place), title(place)]);
      const swap = element("button", { type: "button" }, "A ⇄ B");
      swap.addEventListener("click", () => go({ a: second, b: first }));
      parts.push(element("div", { class: "choices" }, choice("A", names, first, (value) => go({ a: value })), choice("B", names, second, (value) => go({ b: value })),
        choice("what", [[EVERY, "all sequences"], ...networks.map((name) => [name, name])], asked, (value) => go({ network: value })), swap));
      const made = versus(a, b, network);
      if (network !== EVERY && !common(a, b, network)) {
        return [...parts, element("p", { class: "none" }, "There is no split of this network of which both systems have measured all sequences.")];
      }
      if (!made.rows.length) return [...parts, element("p", { class: "none" }, "The systems have no sequence in common.")];
      const told = made.low > 1 ? ["slower", "B is slower"] : made.high < 1 ? ["quicker", "B is faster"] : ["", "no significant difference"];
      parts.push(element("p", { class: "answer", id: "answer" }, "B takes ", element("b", { class: told[0] }, times(made.ratio)), ` times as long as A (${times(made.low)} to ${times(made.high)}, 90 %): ${told[1]}`));
      const p = made.parts;
      const what = network === EVERY ? `median of ${made.kept.length} sequences` : `${time(made.totals[0])} and ${time(made.totals[1])}`;
      parts.push(element("p", { class: "small" }, `${what}; interval: sampling ±${(100 * p.sampling).toFixed(1)} %, drift ±${(100 * p.drift).toFixed(1)} %`
        + (p.hours ? `, another hour or machine ±${(100 * p.hours).toFixed(0)} %` : "") + (p.composing ? `, composition ±${(100 * p.composing).toFixed(0)} %` : "") + "; A ", trust(systems[a].trust), " B ", trust(systems[b].trust)));
      if (leftOut.size) {
        const back = element("button", { type: "button" }, "Include all");
        back.addEventListener("click", () => { leftOut.clear(); show(); });
        parts.push(element("p", {}, `${counted(made.rows.length - made.kept.length, "sequence")} left out. `, back));
      }
      const most = Math.max(...made.kept.map((row) => Math.abs(row.explains)), 1e-9);
      const rows = made.rows.map((row) => ({ ...row, fingerprint: sequences[row.place][0], name: called(row.place, systems[a], systems[b]) })).filter(({ fingerprint, name }) => matches(fingerprint, name)).map((row) => {
        const { fingerprint, name } = row;
        const box = element("input", { type: "checkbox", "aria-label": `Include ${name} ${fingerprint.slice(0, 12)}`, checked: !row.out });
        box.addEventListener("change", () => {
          if (box.checked) leftOut.delete(row.place); else leftOut.add(row.place);
          show();
        });
        const bar = element("span", { class: row.explains < 0 ? "down" : "up" });
        bar.style.width = row.out ? "0" : `${(50 * Math.abs(row.explains) / most).toFixed(1)}%`;
        const differs = row.ratio * Math.exp(-row.apart) > 1 ? "slower" : row.ratio * Math.exp(row.apart) < 1 ? "quicker" : "";
        return {
          class: row.out ? "out" : null,
          cells: [box, name, element("span", { class: "mono" }, fingerprint.slice(0, 12)), String(row.count), time(row.one), time(row.two),
            element("span", { class: differs, title: `${times(row.ratio * Math.exp(-row.apart))} to ${times(row.ratio * Math.exp(row.apart))} (95 %, all ${made.kept.length} together)` }, times(row.ratio)), row.out ? "" : signed(row.explains), bar],
          keys: [row.out ? 1 : 0, name, fingerprint, row.count, row.one, row.two, row.ratio, Math.abs(row.explains), row.explains],
        };
      });
      parts.push(...table([["in", "check", false], ["sequence", "struck"], ["fingerprint", "minor"], ["uses", "number minor"], ["A", "number"], ["B", "number"], ["B by A", "number"], ["explains", "number"], ["faster · slower", "bar", false]], rows));
      return parts;
    },
    submit: () => [how],
    versions() {
      const parts = [element("h2", {}, "Versions")];
      const found = histories.filter((one) => matches(one.system, one.how));
      if (!found.length) return [...parts, element("p", { class: "none" }, histories.length ? "No entry matches the search." : "No system was measured with more than one version of its runtime.")];
      parts.push(element("p", { class: "small" }, "Time relative to the oldest version, with 90 % intervals. A dashed line marks a new level: a change from the first version of the level by more than 2.58 standard deviations."));
      for (const one of found) {
        parts.push(element("h3", {}, `${one.system}, ${one.how}`));
        for (const series of one.series) parts.push(element("figure", { class: "wide" }, element("figcaption", {}, element("b", {}, series.name)), chart(series.points), listOf(series.points)));
      }
      return parts;
    },
  };

  const signedBy = (file) => file ? [element("a", { href: file }, "statement"), " ", element("a", { href: `${file}.sig` }, "signature")] : [];
  const runsOf = (runs, named) => table(
    [...(named ? [["system", ""]] : []), ["result", ""], ["suite", "minor"], ["started", "minor"], ["run", "minor"], ["trust", ""], ["check", "minor"], ["statements", ""]],
    runs.map((run) => {
      const files = element("span", {}, run.raw ? element("a", { href: run.raw, class: "mono" }, run.digest.slice(0, 12)) : element("span", { class: "mono" }, run.digest.slice(0, 12)));
      if (run.signature) files.append(" ", element("a", { href: run.signature }, "signature"));
      const said = element("span", {}, ...run.said.flatMap(([text, file], place) => [...(place ? [element("br")] : []), text, " ", ...signedBy(file)]));
      const cells = [files, run.suite, run.started, run.state, trust(run.trust), run.check, said];
      return { class: run.used ? null : "out", cells: named ? [run.system, ...cells] : cells, keys: [...(named ? [run.system] : []), run.digest, run.suite, run.started, run.state, run.trust, run.check, run.said.map(([text]) => text).join(" ")] };
    }));

  const chart = (points) => {
    const [width, height, left, right, top, bottom] = [720, 220, 56, 16, 14, 44];
    const svg = (tag, attributes, text) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      if (text !== undefined) made.textContent = text;
      return made;
    };
    const low = Math.min(...points.map((one) => one.low)); const high = Math.max(...points.map((one) => one.high));
    const pad = Math.max(0.02, (high - low) * 0.08);
    const y = (value) => top + (height - top - bottom) * (1 - (value - low + pad) / (high - low + 2 * pad));
    const x = (place) => left + (width - left - right) * (points.length > 1 ? (place + 0.5) / points.length : 0.5);
    const made = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Ratios: ${points.map((one) => `${one.runtime} ${times(one.ratio)}${one.changed ? ", a change" : ""}`).join("; ")}` });
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].find((one) => (high - low) / one <= 6) ?? 10;
    for (let tick = Math.ceil((low - pad) / step); tick * step <= high + pad; tick += 1) {
      const value = tick * step;
      made.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }), svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(2)));
    }
    points.forEach((one, place) => {
      if (one.changed) made.append(svg("line", { class: "change", x1: (x(place) + x(place - 1)) / 2, x2: (x(place) + x(place - 1)) / 2, y1: top, y2: height - bottom }));
      made.append(svg("line", { class: "reach", x1: x(place), x2: x(place), y1: y(one.low), y2: y(one.high) }));
    });
    made.append(svg("polyline", { class: "line", points: points.map((one, place) => `${x(place)},${y(one.ratio)}`).join(" ") }));
    const every = Math.ceil(points.length / (innerWidth > 700 ? 12 : 6));
    points.forEach((one, place) => {
      const dot = svg("circle", { cx: x(place), cy: y(one.ratio), r: 4 });
      dot.append(svg("title", {}, `${one.runtime}: ${times(one.ratio)} (${times(one.low)} to ${times(one.high)})`));
      made.append(dot);
      if (place % every === 0 || one.changed) made.append(svg("text", { x: x(place), y: height - bottom + 20, "text-anchor": "middle", class: one.changed ? "changed" : "" }, one.runtime.split(" ").pop()));
    });
    return made;
  };
  const listOf = (points) => {
    const rows = points.map((one) => ({ cells: [one.runtime, times(one.ratio), `${times(one.low)} to ${times(one.high)}`, one.changed ? "a new level" : ""], keys: [one.runtime, one.ratio, one.low, one.changed ? 1 : 0] }));
    return element("details", {}, element("summary", { class: "small" }, "Figures"), ...table([["version", ""], ["by the first", "number"], ["90 %", "number"], ["", ""]], rows));
  };

  const nameOf = (one) => one.tagName + (one.getAttribute("aria-label") ?? one.closest("label")?.firstChild.textContent ?? one.textContent);
  /* Draw what is asked for; whoever goes by keyboard stays where they were. */
  const show = () => {
    const held = main.contains(document.activeElement) && document.activeElement !== main ? nameOf(document.activeElement) : "";
    const [page, query] = location.hash.slice(1).split("?");
    const name = page || "ranking";
    const given = new URLSearchParams(query ?? "");
    search.value = given.get("search") ?? "";
    main.replaceChildren(...(Object.hasOwn(pages, name) ? pages[name](given) : unknown("page", page)));
    if (held) [...main.querySelectorAll("select, button, input")].find((one) => nameOf(one) === held)?.focus();
    document.querySelectorAll("nav a").forEach((one) => {
      if (one.hash === `#${{ system: "ranking", network: "networks" }[name] ?? name}`) one.setAttribute("aria-current", "page"); else one.removeAttribute("aria-current");
    });
  };
  let shown = "";
  window.addEventListener("hashchange", () => {
    const page = location.hash.split("?")[0];
    if (page !== shown) { sorted = { by: null, down: false }; leftOut.clear(); window.scrollTo(0, 0); }
    shown = page;
    show();
  });
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
  const searched = () => {
    const [page, query] = location.hash.slice(1).split("?");
    const given = new URLSearchParams(query ?? "");
    given.delete("search");
    if (search.value) given.set("search", search.value);
    history.replaceState(null, "", address(page || "ranking", given));
    show();
  };
  search.addEventListener("input", searched);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("input, select")) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape" && event.target === search) { search.value = ""; searched(); }
  });
  document.getElementById("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  });
  let theme;
  window.addEventListener("beforeprint", () => {
    theme = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    main.querySelectorAll("button.more").forEach((one) => one.click());
    main.querySelectorAll("details").forEach((one) => { one.open = true; });
  });
  window.addEventListener("afterprint", () => { if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme; });
  shown = location.hash.split("?")[0];
  show();
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
