"use strict";
(function () {
  const find = id => document.getElementById(id);
  const said = find("live-status"), time = find("live-time"), bar = find("live-progress"), link = find("live-link");
  const aside = find("live"), run = aside.dataset.run;
  let version = Number(aside.dataset.version), number = Number(aside.dataset.trial), state, begun = 0, told = 0;
  // The trial that the reader chose; empty to follow the running one.
  let chosen = "", running = "";
  let fetching = false, over = false, failed = 0;
  // The latest announced version, which the page may not have yet.
  let latest = version;
  // Attempts to fetch the last state before the page reports that it is unavailable.
  const tries = 5;

  const text = (element, value) => { if (element.textContent !== value) element.textContent = value; };
  function clock() {
    const elapsed = Math.floor((performance.now() - begun) / 1000), expected = Math.round(state.expected);
    const left = Math.round((state.left - (performance.now() - told) / 1000) / 60);
    text(time, state.over ? "" : (expected > 0 ? Math.min(elapsed, expected) + " of " + expected + " s" : elapsed + " s")
      + (left > 0 ? ", about " + left + " min left" : ""));
    bar.hidden = state.over || expected <= 0;
    if (!bar.hidden) { bar.max = expected; bar.value = Math.min(elapsed, expected); }
  }
  function show(next) {
    // An event that a later one overtook.
    if (state && next.number <= state.number) return;
    state = next;
    told = performance.now();
    begun = told - state.elapsed * 1000;
    text(said, state.status);
    // Inserts only new items, so that screen readers read only these.
    const news = find("live-news"), there = new Map(Array.from(news.children, item => [item.textContent, item]));
    there.forEach((item, line) => { if (!state.news.includes(line)) item.remove(); });
    state.news.slice().reverse().forEach(line => {
      if (there.has(line)) return;
      const item = document.createElement("li");
      item.textContent = line;
      news.prepend(item);
    });
    if (state.over && find("live-stop")) find("live-stop").remove();
    clock();
  }

  // Replaces changed parts. The rest of the page stays, with the details that the reader opened.
  function put(page) {
    const main = document.querySelector("main"), next = page.querySelector("main");
    const focus = document.activeElement && document.activeElement.closest("figure[data-chart]");
    const focused = focus && focus.dataset.chart;
    const parts = Array.from(next.children), ids = new Set(parts.map(part => part.id));
    let before = null, charts = false;
    Array.from(main.children).filter(part => !ids.has(part.id)).forEach(part => {
      charts = charts || part.id === "time";
      part.remove();
    });
    parts.forEach(part => {
      const old = part.id ? find(part.id) : main.querySelector(":scope > footer");
      if (part.hasAttribute("data-kept")) {
        if (old) before = old;
        return;
      }
      if (part.id === "time" || old && old.id === "time") charts = true;
      if (old) {
        const open = new Set(Array.from(old.querySelectorAll("details[open] > summary"), each => each.textContent));
        part.querySelectorAll("details > summary").forEach(each => { if (open.has(each.textContent)) each.parentElement.open = true; });
        old.replaceWith(part);
      } else if (before) before.after(part); else main.prepend(part);
      before = part;
    });
    document.querySelector("nav").replaceWith(page.querySelector("nav"));
    window.weir.contents();
    if (charts) {
      window.weir.charts(over ? chosen : chosen || running);
      const figure = focused && document.querySelector("figure[data-chart='" + focused + "'] .live");
      if (figure) figure.focus({ preventScroll: true });
    }
  }
  function load() {
    if (fetching) return;
    fetching = true;
    fetch("parts?run=" + run + "&since=" + version, { cache: "no-store" }).then(answer => answer.ok ? answer.text() : Promise.reject(answer.status)).then(html => {
      const page = new DOMParser().parseFromString(html, "text/html");
      const next = page.getElementById("live");
      if (next.dataset.run !== run) { location.reload(); return; }
      failed = 0;
      text(link, "");
      document.title = page.title;
      version = Number(next.dataset.version);
      number = Number(next.dataset.trial);
      show(JSON.parse(page.getElementById("live-state").textContent));
      put(page);
      seconds.filter(each => each.event > Number(next.dataset.event)).forEach(each => append(each.second));
    }).catch(() => { failed++; }).then(() => {
      fetching = false;
      settle();
    });
  }
  // Also fetches a version announced during another fetch, because no event follows the end.
  function settle() {
    if (fetching) return;
    const behind = version < latest;
    if (behind && failed === 0 && (over || !document.hidden)) load();
    else if (behind && over && failed < tries) setTimeout(load, 500);
    else if (behind && over) text(link, "The run is over, but its last state is unavailable. This page shows an earlier state.");
  }

  // Shows another trial than that of the page only after the next version of the page.
  const append = second => { if (second.number === number) window.weir.append(second); };
  // The shown seconds since the folder was read, in case the page arrives after them.
  let seconds = [];
  const events = new EventSource("events?run=" + run + "&after=" + aside.dataset.event);
  const hear = (name, then) => events.addEventListener(name, event => then(JSON.parse(event.data), Number(event.lastEventId)));
  hear("second", (second, event) => {
    if (running !== second.trial) { running = second.trial; }
    seconds.push({ event, second });
    if (seconds.length > 900) seconds = seconds.slice(-600);
    append(second);
  });
  hear("state", show);
  hear("page", next => {
    latest = Math.max(latest, next.version);
    failed = 0;
    settle();
  });
  hear("reset", () => { version = 0; load(); });
  hear("over", next => { over = true; events.close(); show(next); settle(); });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) settle();
  });
  events.addEventListener("open", () => { text(link, ""); if (version === 0) load(); });
  events.addEventListener("error", () => {
    if (over) events.close();
    else text(link, "The connection is lost. The page reconnects automatically.");
  });
  document.addEventListener("click", event => {
    const pick = event.target.closest(".picker button");
    if (pick) chosen = window.weir.shown() === running ? "" : window.weir.shown();
  });

  // Requires two presses, so that a slip does not end a run.
  const stop = find("live-stop");
  let sure = 0;
  if (stop) stop.addEventListener("click", () => {
    if (performance.now() > sure) {
      sure = performance.now() + 5000;
      stop.textContent = "Press again to stop";
      setTimeout(() => { if (!stop.disabled) stop.textContent = "Stop"; }, 5000);
      return;
    }
    stop.disabled = true;
    stop.textContent = "Stopping";
    fetch("stop", { method: "POST", headers: { "X-Weir-Stop": stop.dataset.token } }).then(answer => {
      if (!answer.ok) return Promise.reject(answer.status);
    }).catch(() => {
      stop.disabled = false;
      stop.textContent = "Stop";
      text(link, "This page could not stop the run. Press Ctrl-C in its terminal.");
    });
  });

  show(JSON.parse(find("live-state").textContent));
  setInterval(() => { if (!document.hidden) clock(); }, 1000);
})();
