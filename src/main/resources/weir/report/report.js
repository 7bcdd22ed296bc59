"use strict";
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  // What stands folded on a screen would be missing on paper.
  window.addEventListener("beforeprint", () => all("details.caveat").forEach(caveat => { caveat.open = true; }));
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  const make = (tag, attributes, text) => {
    const element = document.createElement(tag);
    Object.entries(attributes || {}).forEach(([name, value]) => element.setAttribute(name, value));
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Tables are copied as what a spreadsheet takes.
  function csv(table) {
    return all("tr", table).map(row => all("th, td", row).map(cell => {
      // A cell that begins like a formula is kept from being one.
      const text = cell.textContent.replace(/^[=+@\t]/, "'$&");
      return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    }).join(",")).join("\n") + "\n";
  }
  function copy(text, button) {
    const done = () => { const was = button.textContent; button.textContent = "Copied"; setTimeout(() => { button.textContent = was; }, 1500); };
    const byHand = () => {
      const area = make("textarea", { "aria-label": "Copy this" });
      area.value = text;
      button.after(area);
      area.select();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
  }
  document.addEventListener("click", event => {
    const button = event.target.closest("button.copy");
    if (button) copy(csv(document.getElementById(button.dataset.copy)), button);
  });

  // The contents say where the reader is.
  let watch;
  function contents() {
    if (!("IntersectionObserver" in window)) return;
    if (watch) watch.disconnect();
    const links = new Map(all("nav li a").map(link => [link.getAttribute("href").slice(1), link]));
    watch = new IntersectionObserver(entries => entries.forEach(entry => {
      if (entry.isIntersecting && links.has(entry.target.id)) {
        links.forEach(link => link.classList.remove("here"));
        links.get(entry.target.id).classList.add("here");
      }
    }), { rootMargin: "-20% 0px -70% 0px" });
    all("main > section").forEach(section => watch.observe(section));
  }
  contents();

  let data = null, trial = 0, label = "", figures = [];
  const hidden = new Set();
  const logarithmic = {};
  const plots = [];
  const colour = look => getComputedStyle(root).getPropertyValue("--" + look.split(" ")[0]).trim();
  const variable = name => getComputedStyle(root).getPropertyValue("--" + name).trim();

  // As weir.results.value.NumberFormat has it: whole from a hundred on, else three digits.
  function written(value) {
    if (value == null) return "–";
    const size = Math.abs(value);
    if (size >= 99.95 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
    return String(Number(size < 0.0095 ? value.toPrecision(2) : value.toFixed(size >= 9.995 ? 1 : 2)));
  }

  function bands(u) {
    const context = u.ctx;
    const ratio = window.devicePixelRatio || 1;
    const { left, top, width, height } = u.bbox;
    const labels = [];
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.font = 10.5 * ratio + "px system-ui, sans-serif";
    context.textAlign = "center";
    data.trials[trial].bands.forEach(([from, to, name, look]) => {
      const start = u.valToPos(from, "x", true), end = u.valToPos(to, "x", true);
      const disturbed = look === "disturbed";
      if (disturbed || look === "phase" || look.endsWith("even")) {
        context.globalAlpha = look.endsWith("even") ? 0.55 : 1;
        context.fillStyle = variable(disturbed ? "open-wash" : "wash");
        context.fillRect(start, top, end - start, height);
      }
      context.globalAlpha = 1;
      const middle = (Math.max(start, left) + Math.min(end, left + width)) / 2;
      if (!disturbed && Math.min(end, left + width) - Math.max(start, left) > context.measureText(name).width + 6 * ratio) {
        labels.push([name, middle]);
      }
    });
    context.strokeStyle = variable("faint");
    context.setLineDash([3 * ratio, 3 * ratio]);
    context.textAlign = "left";
    const ends = [];
    data.trials[trial].marks.forEach(([at, name]) => {
      const x = u.valToPos(at, "x", true);
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + height);
      context.stroke();
      context.fillStyle = variable("soft");
      let line = 0;
      while (ends[line] > x) line++;
      ends[line] = x + context.measureText(name).width + 8 * ratio;
      context.fillText(name, x + 4 * ratio, top + (14 + 13 * line) * ratio);
    });
    context.restore();
    context.save();
    context.font = 10.5 * ratio + "px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillStyle = variable("faint");
    labels.forEach(([name, middle]) => context.fillText(name, middle, top - 6 * ratio));
    context.restore();
  }

  function decades(u, axis, low, high) {
    const ticks = [];
    const digits = high / low > 1e4 ? [1] : high / low > 40 ? [1, 3] : high / low > 5 ? [1, 2, 5] : [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
    for (let power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10)
      digits.forEach(digit => { if (digit * power >= low && digit * power <= high) ticks.push(digit * power); });
    return ticks;
  }

  // What is not positive has no place on a logarithmic scale.
  const points = (lines, log) =>
    [data.trials[trial].x].concat(lines.map(line => log ? line.y.map(y => y > 0 ? y : null) : line.y));

  function draw(figure) {
    const id = figure.dataset.chart;
    const kind = data.charts[id];
    const lines = data.trials[trial].charts[id];
    figure.hidden = !lines;
    if (!lines) return;
    const log = logarithmic[id];
    const holder = figure.querySelector(".live") || figure.querySelector(".drawing").appendChild(
      make("div", { class: "live", tabindex: "0", role: "application", "aria-label": kind.title + ": arrow keys move along the time, Escape shows all of it" }));
    holder.textContent = "";
    const keys = figure.querySelector(".keys");
    keys.textContent = "";
    const outputs = lines.map((line, index) => {
      const name = id + " " + line.name;
      const button = make("button", { type: "button", "aria-pressed": String(!hidden.has(name)) });
      button.append(make("i", { class: "key " + line.look }), line.name, " ");
      const output = button.appendChild(make("output"));
      button.addEventListener("click", () => {
        const on = hidden.delete(name);
        if (!on) hidden.add(name);
        button.setAttribute("aria-pressed", String(on));
        plot.setSeries(index + 1, { show: on });
      });
      keys.append(button);
      return output;
    });
    const axis = { stroke: variable("soft"), grid: { stroke: variable("grid"), width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const plot = new uPlot({
      width: holder.clientWidth, height: figure.classList.contains("wide") ? 270 : 220, padding: [20, 12, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: "time", setSeries: false }, drag: { x: true, y: false }, points: { size: 6 }, focus: { prox: -1 } },
      scales: {
        x: { time: false },
        y: log ? { distr: 3, range: () => [kind.low > 0 ? kind.low : kind.high / 1e4, kind.high] } : { range: () => [0, kind.high] }
      },
      axes: [
        Object.assign({ values: (u, ticks) => ticks.map(t => t + " s"), size: 28, gap: 4 }, axis),
        Object.assign({ size: (u, labels) => Math.max(44, 16 + 7 * Math.max(0, ...(labels || []).map(label => label.length))), values: (u, ticks) => ticks.map(t => t == null ? "" : written(t)) }, axis, log ? { splits: decades, filter: (u, ticks) => ticks } : {})
      ],
      series: [{}].concat(lines.map(line => ({
        label: line.name, stroke: colour(line.look), width: 1.4,
        dash: line.look.endsWith("dashed") ? [7, 4] : line.look.endsWith("dotted") ? [2, 3] : undefined,
        show: !hidden.has(id + " " + line.name), points: { show: false }
      }))),
      hooks: {
        drawAxes: [bands],
        setCursor: [u => outputs.forEach((output, index) => {
          const at = u.cursor.idx;
          output.textContent = at == null ? "" : written(lines[index].y[at]);
        })]
      }
    }, points(lines, log), holder);
    plots.push({ plot, holder, id, lines, ends: ends() });
    holder.onkeydown = event => {
      const step = event.shiftKey ? 10 : 1;
      const at = plot.cursor.idx == null ? 0 : plot.cursor.idx;
      if (event.key === "Escape") plots.forEach(other => other.plot.setScale("x", { min: plot.data[0][0], max: plot.data[0][plot.data[0].length - 1] }));
      else if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      else {
        const next = Math.min(plot.data[0].length - 1, Math.max(0, at + (event.key === "ArrowLeft" ? -step : step)));
        plot.setCursor({ left: plot.valToPos(plot.data[0][next], "x"), top: 10 }, true, true);
      }
      event.preventDefault();
    };
    table(figure, kind, lines);
  }

  // The table in the page is that of the first trial shown; this writes the same for the others.
  function table(figure, kind, lines) {
    const body = figure.querySelector("table");
    if (!body || trial === data.first && !body.dataset.other) return;
    body.dataset.other = "yes";
    const x = data.trials[trial].x, rows = 30, stretch = Math.max(1, Math.ceil(x.length / rows));
    body.caption.textContent = kind.title + " of trial " + data.trials[trial].label + ", " + kind.unit;
    const head = make("tr");
    head.append(make("th", { scope: "col" }, "second"), ...lines.map(line => make("th", { scope: "col", class: "figure" }, line.name)));
    body.tHead.replaceChildren(head);
    body.tBodies[0].replaceChildren(...Array.from({ length: Math.ceil(x.length / stretch) }, (_, index) => {
      const from = index * stretch, to = Math.min(x.length, from + stretch), row = make("tr");
      row.append(make("th", { scope: "row" }, x[from] + "–" + (to < x.length ? x[to] : x[x.length - 1])));
      lines.forEach(line => {
        const known = line.y.slice(from, to).filter(y => y != null);
        const value = !known.length ? null : kind.worst ? Math.max(...known) : known.reduce((a, b) => a + b, 0) / known.length;
        row.append(make("td", { class: "figure" }, written(value)));
      });
      return row;
    }));
  }

  // The first and the last second that a plot was given: the array that it holds grows.
  const ends = () => [data.trials[trial].x[0], data.trials[trial].x[data.trials[trial].x.length - 1]];
  const zoomed = ({ plot, ends }) => plot.scales.x.min > ends[0] || plot.scales.x.max < ends[1];
  function redraw(same) {
    const zoom = same !== false && plots.length && zoomed(plots[0]) ? { min: plots[0].plot.scales.x.min, max: plots[0].plot.scales.x.max } : null;
    plots.splice(0).forEach(({ plot }) => plot.destroy());
    figures.forEach(draw);
    if (zoom) plots.forEach(({ plot }) => plot.setScale("x", zoom));
  }
  function show(number, same) {
    trial = number;
    label = data.trials[number].label;
    all(".picker button").forEach(pick => pick.setAttribute("aria-pressed", String(Number(pick.dataset.trial) === trial)));
    redraw(same);
  }

  // Takes what stands in the page; the trial of this name is shown, or the one that the report shows first.
  function charts(name) {
    const source = document.getElementById("data");
    data = source && JSON.parse(source.textContent);
    if (!data) {
      plots.splice(0).forEach(({ plot }) => plot.destroy());
      figures = [];
      return;
    }
    figures = all("figure[data-chart]");
    figures.forEach(figure => {
      const id = figure.dataset.chart;
      if (!(id in logarithmic)) logarithmic[id] = data.charts[id].log;
      const button = make("button", { type: "button", class: "tool", "aria-label": "Logarithmic scale" }, "log");
      const say = () => {
        if (logarithmic[id] !== data.charts[id].log || button.dataset.pressed)
          figure.querySelector("h3 small").textContent = data.charts[id].unit + (logarithmic[id] ? ", logarithmic" : "");
        button.setAttribute("aria-pressed", String(logarithmic[id]));
      };
      button.addEventListener("click", () => {
        logarithmic[id] = !logarithmic[id];
        button.dataset.pressed = "yes";
        say();
        redraw();
      });
      say();
      figure.querySelector("figcaption").prepend(button);
    });
    all(".picker button").forEach(pick => pick.addEventListener("click", () => show(Number(pick.dataset.trial), false)));
    // A trial that was shown while it ran has another name when it is over.
    const named = data.trials.findIndex(each => each.label === name || each.label + " (unfinished)" === name);
    const next = named < 0 ? data.first : named;
    show(next, data.trials[next].label === label);
  }
  charts("");

  // The next second of a trial, on a page that is open while its run goes on.
  function append(second) {
    const number = data ? data.trials.findIndex(each => each.label === second.trial) : -1;
    const one = data && data.trials[number];
    if (!one || one.x.length && second.x <= one.x[one.x.length - 1]) return;
    let fresh = false;
    one.x.push(second.x);
    Object.entries(second.charts).forEach(([id, lines]) => {
      const kind = data.charts[id];
      if (!kind) return;
      const known = one.charts[id] || (fresh = true, one.charts[id] = []);
      lines.forEach(([name, look, value]) => {
        let line = known.find(each => each.name === name);
        if (!line) {
          line = { name, look, y: one.x.slice(1).map(() => null) };
          known.push(line);
          fresh = true;
        }
        line.y.push(value);
        if (value > kind.high) kind.high = ceiling(value);
      });
    });
    Object.values(one.charts).forEach(lines => lines.forEach(line => { if (line.y.length < one.x.length) line.y.push(null); }));
    if (number !== trial) return;
    if (fresh) redraw(); else later();
  }
  // The next of 1, 2 and 5 times a power of ten.
  function ceiling(value) {
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    return [1, 2, 5, 10].map(digit => digit * power).find(each => each >= value);
  }
  let waiting = false;
  // However many seconds come at once, they are drawn once, and only what is in sight, or nearly.
  const near = box => box.bottom > -300 && box.top < window.innerHeight + 300;
  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      plots.forEach(one => {
        one.behind = !near(one.holder.getBoundingClientRect());
        if (one.behind) return;
        const { plot, id, lines } = one, whole = !zoomed(one);
        plot.setData(points(lines, logarithmic[id]), whole);
        if (!whole) plot.redraw();
        one.ends = ends();
      });
    });
  }

  window.addEventListener("scroll", () => { if (plots.some(one => one.behind)) later(); }, { passive: true });

  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    plots.forEach(({ plot, holder }) => plot.setSize({ width: holder.clientWidth, height: plot.height }));
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
  window.weir = { contents, charts, append, shown: () => data && data.trials[trial] ? data.trials[trial].label : "",
    last: () => data && data.trials[trial] ? data.trials[trial].x[data.trials[trial].x.length - 1] : -1 };
})();
