"use strict";
(function () {
  document.documentElement.classList.add("js");
  const data = JSON.parse(document.getElementById("profile").textContent);
  const box = document.getElementById("flame");
  const said = document.getElementById("frame");
  const query = document.getElementById("query");
  const matched = document.getElementById("matched");
  const count = data.depth.length;
  const both = Boolean(data.other);
  const scales = both ? [data.first, data.second] : [data.first];
  scales.forEach(scale => { scale.cost = Number(scale.cost); scale.sample = Number(scale.sample); });

  // Frames come from the root on, each before those that it called.
  const parent = new Int32Array(count);
  const last = new Int32Array(count);
  const size = new Float64Array(count);
  const start = new Float64Array(count);
  const self = new Float64Array(count);
  const cost = (side, weight) => scales[side].cost * weight;
  const name = i => data.names[data.name[i]];
  (function lay() {
    const path = [];
    const next = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const depth = data.depth[i];
      size[i] = both ? cost(0, data.weight[i]) + cost(1, data.other[i]) : data.weight[i];
      self[i] = size[i];
      parent[i] = depth === 0 ? -1 : path[depth - 1];
      path[depth] = i;
      if (depth > 0) {
        const above = parent[i];
        start[i] = next[above];
        next[above] += size[i];
        self[above] -= size[i];
      }
      next[i] = start[i];
    }
    for (let i = count - 1; i >= 0; i--) {
      last[i] = Math.max(last[i], i);
      if (parent[i] >= 0) last[parent[i]] = Math.max(last[parent[i]], last[i]);
    }
  })();

  const digits = value => {
    const size = Math.abs(value);
    return value.toLocaleString("en", { maximumFractionDigits: size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4 });
  };
  const percent = share => (100 * share).toFixed(share < 0.1 ? 2 : 1) + " %";
  function noise(i) {
    // Counts of samples vary as those of Poisson do; one that is 0 could as well have been 1.
    const variance = (side, weight) => scales[side].cost ** 2 * scales[side].sample * Math.max(weight, scales[side].sample);
    return 3 * Math.sqrt(variance(0, data.weight[i]) + variance(1, data.other[i]));
  }
  function text(i) {
    if (!both) return name(i) + ": " + percent(size[i] / size[0]) + ", self " + percent(Math.max(0, self[i]) / size[0]) + "; " + digits(cost(0, data.weight[i])) + " " + data.unit;
    const before = cost(0, data.weight[i]);
    const after = cost(1, data.other[i]);
    const change = after - before;
    const share = before > 0 && after > 0 ? " (" + (change > 0 ? "+" : "") + digits(100 * change / before) + " %)" : before > 0 ? " (only before)" : " (only after)";
    return name(i) + ": " + digits(before) + " → " + digits(after) + " " + data.unit + share + (Math.abs(change) > noise(i) ? "" : ", within the noise");
  }
  function look(i) {
    if (both) {
      const before = cost(0, data.weight[i]);
      const after = cost(1, data.other[i]);
      if (Math.abs(after - before) <= noise(i)) return "same";
      const much = Math.abs(after - before) / Math.max(before, after);
      return (after > before ? "more" : "less") + (much > 0.5 ? 3 : much > 0.2 ? 2 : 1);
    }
    const called = name(i);
    return data.depth[i] < 2 ? "pool" : called.endsWith("_[k]") ? "kernel" : called.includes("::") || !called.includes(".") ? "native" : "java";
  }

  let zoomed = 0;
  let focused = 0;
  let shown = [];
  let row = 18;
  let matches = new Set();
  const within = i => i >= zoomed && i <= last[zoomed];

  function draw() {
    const width = box.clientWidth || 1000;
    const least = 0.7 / width * size[zoomed];
    shown = [];
    for (let i = zoomed; i >= 0; i = parent[i]) shown.unshift(i);
    for (let i = zoomed + 1; i <= last[zoomed];) {
      if (size[i] < least) {
        i = last[i] + 1;
      } else {
        shown.push(i);
        i++;
      }
    }
    if (!shown.includes(focused)) focused = zoomed;
    const drawn = document.createDocumentFragment();
    let deepest = 0;
    shown.forEach(i => {
      const frame = document.createElement("div");
      const above = i < zoomed;
      const share = above ? 1 : size[i] / size[zoomed];
      deepest = Math.max(deepest, data.depth[i]);
      frame.className = look(i) + (above ? " above" : "") + (matches.has(i) ? " match" : "") + (share * width < 8 ? " thin" : "");
      frame.style.left = 100 * (above ? 0 : (start[i] - start[zoomed]) / size[zoomed]) + "%";
      frame.style.width = 100 * share + "%";
      if (share * width > 24) frame.textContent = short(name(i), share * width);
      frame.setAttribute("role", "treeitem");
      frame.setAttribute("aria-level", data.depth[i] + 1);
      frame.setAttribute("aria-label", text(i));
      if (last[i] > i) frame.setAttribute("aria-expanded", String(above || i === zoomed || size[i + 1] >= least));
      frame.tabIndex = i === focused ? 0 : -1;
      frame.dataset.frame = i;
      drawn.append(frame);
    });
    box.replaceChildren(drawn);
    row = box.firstChild.offsetHeight || 18;
    Array.from(box.children).forEach((frame, at) => { frame.style.top = data.depth[shown[at]] * row + "px"; });
    box.style.height = (deepest + 1) * row + "px";
  }
  // The end of a name says more than its package.
  function short(full, width) {
    const room = Math.floor(width / 6.7);
    if (full.length <= room || full.includes("::") || full.startsWith("[") || full.endsWith("_[k]")) return full;
    const parts = full.split(".");
    return parts.slice(-2).join(".");
  }
  const element = i => box.children[shown.indexOf(i)];
  function focus(i) {
    if (i < 0 || !shown.includes(i)) return;
    const old = element(focused);
    if (old) old.tabIndex = -1;
    focused = i;
    const now = element(i);
    now.tabIndex = 0;
    now.focus();
    said.textContent = text(i);
  }
  function zoom(i) {
    const had = box.contains(document.activeElement);
    zoomed = i;
    focused = i;
    draw();
    if (had) focus(i); else said.textContent = text(i);
  }
  function siblings(i) {
    return shown.filter(other => parent[other] === parent[i] && (other >= zoomed || other === i));
  }
  function step(i, by) {
    const all = siblings(i);
    const next = all[all.indexOf(i) + by];
    return next === undefined ? i : next;
  }
  function below(i) {
    return shown.filter(other => parent[other] === i).reduce((widest, other) => widest < 0 || size[other] > size[widest] ? other : widest, -1);
  }
  box.addEventListener("keydown", event => {
    const keys = {
      ArrowUp: () => focus(parent[focused]),
      ArrowDown: () => focus(below(focused)),
      ArrowLeft: () => focus(step(focused, -1)),
      ArrowRight: () => focus(step(focused, 1)),
      Home: () => focus(shown[0]),
      Enter: () => zoom(focused),
      " ": () => zoom(focused),
      Escape: () => zoom(0),
    };
    if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  const frameOf = event => event.target.dataset && event.target.dataset.frame !== undefined ? Number(event.target.dataset.frame) : -1;
  box.addEventListener("click", event => { const i = frameOf(event); if (i >= 0) zoom(i); });
  box.addEventListener("mouseover", event => { const i = frameOf(event); if (i >= 0) said.textContent = text(i); });
  document.getElementById("reset").addEventListener("click", () => { query.value = ""; search(); zoom(0); });

  function search() {
    const wanted = query.value.trim().toLowerCase();
    matches = new Set();
    let sum = 0;
    for (let i = 0; wanted && i < count; i++) {
      if (name(i).toLowerCase().includes(wanted)) {
        matches.add(i);
        // What stands below a match is a part of it.
        let above = parent[i];
        while (above >= 0 && !matches.has(above)) above = parent[above];
        if (above < 0) sum += size[i];
      }
    }
    matched.textContent = wanted ? "matched " + percent(sum / size[0]) : "";
    draw();
  }
  query.addEventListener("input", search);
  query.addEventListener("keydown", event => { if (event.key === "Escape") { query.value = ""; search(); } });
  let waiting = 0;
  window.addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 100); });
  draw();
})();
