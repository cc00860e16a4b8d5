"use strict";
(() => {
  // Data are deflated and in base64; they are unpacked when they are first asked for.
  const unpacked = new Map();

  function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).json();
  }

  function unpack(id) {
    if (!unpacked.has(id)) unpacked.set(id, inflated(document.getElementById(id).textContent));
    return unpacked.get(id);
  }

  // --- answers: nowhere in the page before they are asked for; they are markup of the template, which escaped all text ---
  for (const sealed of document.querySelectorAll("[data-sealed]")) {
    sealed.closest("details").addEventListener("toggle", async () => {
      sealed.innerHTML = await inflated(sealed.dataset.sealed);
    }, { once: true });
  }

  // --- definitions: shown beside a statistic's name on hover, on focus or after a tap ---
  const tip = document.getElementById("tip");
  let shown = null;

  function hideTip() {
    if (shown) shown.removeAttribute("aria-describedby");
    shown = null;
    tip.hidden = true;
  }

  function showTip(term) {
    hideTip();
    const id = term.dataset.definition || term.getAttribute("href").slice(1);
    const source = document.getElementById(id);
    if (!source) return;
    const parts = [[source.querySelector("dt").textContent, "title"]];
    const text = source.querySelector("dd");
    parts.push([text.firstChild.textContent.trim(), "text"]);
    parts.push([text.querySelector(".formula").textContent, "formula"]);
    for (const here of (term.dataset.here || "").split("; ")) if (here) parts.push([here, "here"]);
    tip.replaceChildren(...parts.map(([words, kind]) => {
      const line = document.createElement("p");
      line.className = kind;
      line.textContent = words;
      return line;
    }));
    tip.hidden = false;
    const at = term.getBoundingClientRect(), box = tip.getBoundingClientRect();
    const width = document.documentElement.clientWidth, height = window.innerHeight;
    tip.style.left = Math.max(8, Math.min(at.left, width - box.width - 8)) + "px";
    const below = at.bottom + 6;
    tip.style.top = (below + box.height > height && at.top > box.height + 6 ? at.top - box.height - 6 : below) + "px";
    term.setAttribute("aria-describedby", "tip");
    shown = term;
  }

  for (const term of document.querySelectorAll(".term")) {
    term.addEventListener("mouseenter", () => showTip(term));
    term.addEventListener("mouseleave", () => { if (shown === term && document.activeElement !== term) hideTip(); });
    term.addEventListener("focus", () => showTip(term));
    term.addEventListener("blur", hideTip);
    if (term.tagName === "A") term.addEventListener("click", (event) => {
      event.preventDefault();
      term.focus({preventScroll: true});
      showTip(term);
    });
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  window.addEventListener("scroll", () => {  // tabbing to a term may scroll: its definition goes along while it is in sight
    const box = shown && shown === document.activeElement ? shown.getBoundingClientRect() : null;
    if (box && box.bottom > 0 && box.top < window.innerHeight) showTip(shown);
    else hideTip();
  }, {passive: true});

  // --- sortable tables: numbers start in descending order, text in ascending order; missing values stay last ---
  const collator = new Intl.Collator(undefined, {numeric: true});

  function sortBy(table, column, head) {
    const text = head.querySelector("button").dataset.kind === "text";
    const order = head.getAttribute("aria-sort") || (text ? "descending" : "ascending");
    const next = order === "ascending" ? "descending" : "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", next);
    const sign = next === "ascending" ? 1 : -1;
    const key = (row) => text ? row.cells[column].textContent : row.cells[column].dataset.v;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => [key(row), row]);
    rows.sort(([a], [b]) => {
      if (text) return sign * collator.compare(a, b);
      if (a === "" || b === "") return (a === "") - (b === "");
      return sign * (a - b);
    });
    body.append(...rows.map(([, row]) => row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => sortBy(table, column, head));
    });
  }

  // --- replays: a link opens its hand at the move in question, which is also in the address ---
  const dialog = document.getElementById("replay");
  const place = document.getElementById("stepper");
  const address = /^#replay-(\d+)(?:\.(\d+))?-(\d*)-(\d)$/;  // replay, hand of a whole game, event, seat

  // Hands before and after: those of the list from which the hand was opened.
  const before = document.getElementById("hand-before"), after = document.getElementById("hand-after");
  let opened = null, listed = [];

  function neighbours(link) {
    const from = link || document.querySelector('a.step[href="' + location.hash + '"]');
    const list = from && from.closest("ol, ul, tbody");
    return list ? [...list.querySelectorAll("a.step")] : [];
  }

  function beside(by) {
    const at = listed.findIndex((link) => link.getAttribute("href") === location.hash) + by;
    if (at >= 0 && at < listed.length && location.hash) listed[at].click();
  }

  for (const button of [before, after]) button.dataset.hand = button.textContent;
  before.addEventListener("click", () => beside(-1));
  after.addEventListener("click", () => beside(1));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "PageUp" || event.key === "PageDown") { event.preventDefault(); beside(event.key === "PageUp" ? -1 : 1); }
  });

  function open(data, hand, event, seat, decide) {
    hideTip();
    if (!dialog.open) dialog.showModal();
    const box = document.createElement("div");
    box.tabIndex = -1;
    place.replaceChildren(box);
    mountStepper(box, data, { seat, pages: false, decide }).show(hand, event);
    for (const note of ["only-hand", "whole-game"]) document.getElementById(note).hidden = true;
    box.focus({ preventScroll: true });
  }

  async function follow() {
    const found = address.exec(location.hash);
    if (!found) {
      if (dialog.open) dialog.close();
      return;
    }
    const [number, hand, event, seat] = found.slice(1).map((text) => text === "" || text === undefined ? null : Number(text));
    const data = (await unpack("replays"))[number];
    if (!data || !address.exec(location.hash)) return;
    const isWhole = data.hands.length > 1;
    const links = [...document.querySelectorAll("a.step")].filter((one) => one.getAttribute("href") === location.hash);
    const link = links.find((one) => one === opened) || links[0];
    const decide = link && link.dataset.decide !== undefined ? { hand: hand || 0, step: event === null ? 0 : event + 1 } : null;
    open(data, hand || 0, event, seat, decide);
    const page = !isWhole && link ? link.dataset.whole : "";
    document.getElementById("only-hand").hidden = isWhole || Boolean(page);
    document.getElementById("whole-game").hidden = !page;
    if (page) document.querySelector("#whole-game a").setAttribute("href", page);
    listed = neighbours(opened);
    before.parentNode.hidden = false;
    for (const button of [before, after]) button.textContent = listed[0] && listed[0].closest("tbody") ? button.dataset.game : button.dataset.hand;
    const at = listed.findIndex((link) => link.getAttribute("href") === location.hash);
    document.getElementById("hand-number").textContent = at < 0 ? "" : say(_("{number} of {all}"), { number: at + 1, all: listed.length });
    before.disabled = at <= 0;
    after.disabled = at < 0 || at + 1 >= listed.length;
  }

  dialog.addEventListener("close", () => {
    place.replaceChildren();
    if (address.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  for (const link of document.querySelectorAll("a.step")) link.addEventListener("click", (event) => {
    event.preventDefault();
    opened = link;
    history.replaceState(null, "", link.getAttribute("href"));
    follow();
  });
  window.addEventListener("hashchange", follow);
  follow();

  // --- the trainer: made when its part is first unfolded ---
  const trainer = document.getElementById("trainer-box");

  function showTable(answer, isDecided) {
    const { data, event, seat } = answer, [hand] = data.hands;
    const until = Object.assign({}, hand, { events: hand.events.slice(0, event), marks: [], choices: [], result: "", over: false });
    before.parentNode.hidden = true;
    listed = [];
    open(isDecided ? data : Object.assign({}, data, { hands: [until] }), 0, event ? event - 1 : null, seat,
      isDecided ? null : { hand: 0, step: event });
  }

  if (trainer) trainer.closest("details").addEventListener("toggle", async () => {
    mountTrainer(trainer, await unpack("positions"), () => unpack("answers"), showTable);
  }, { once: true });

  // What is chosen stands in the address, by what the page calls it, so that a bookmark or a reload finds it again.
  function keep(name, text) {
    const asked = new URLSearchParams(location.search);
    if (text) asked.set(name, text); else asked.delete(name);
    history.replaceState(null, "", location.pathname + (asked.size ? "?" + asked : "") + location.hash);
  }

  // --- games: what a filter leaves is added up again, from the sums of each game ---
  const filter = document.getElementById("filter");
  const Z = 1.959963984540054;

  // What reports/inference does, for one ratio.
  const FEW = 5, CHANCE = 0.05;

  function student(freedom) {
    return Math.sqrt(freedom * Math.expm1((Z * (8 * freedom + 3) / (8 * freedom + 1)) ** 2 / freedom));
  }

  function fewer(n, d, share) {
    let chance = 0, term = (1 - share) ** d;
    for (let number = 0; number <= n; number += 1) {
      chance += term * (number < n ? 1 : 0.5);
      term *= (d - number) / (number + 1) * share / (1 - share);
    }
    return chance;
  }

  function ofFew(n, d) {
    const shareWith = (chance) => {
      let low = 0, high = 1;
      for (let step = 0; step < 40; step += 1) {
        const share = (low + high) / 2;
        if (fewer(n, d, share) > chance) low = share; else high = share;
      }
      return low;
    };
    return n <= 0 ? [0, 1 - CHANCE ** (1 / d)] : [shareWith(1 - CHANCE / 2), shareWith(CHANCE / 2)];
  }

  function bounds(nature, games) {
    const total = (of) => games.reduce((sum, game) => sum + of(game), 0);
    const n = total((one) => one[0]), d = total((one) => one[1]), ratio = n / d;
    const number = d * d / total((one) => one[1] ** 2), freedom = Math.max(number - 1, 1e-3);
    const around = total((one) => (one[0] - ratio * one[1]) ** 2);
    const size = total((one) => one[0] ** 2 + (ratio * one[1]) ** 2);
    const variance = number > 1 + 1e-9 ? (around > 1e-12 * size ? around : 0) / d / d * number / (number - 1) : NaN;
    if (nature === "share") {
      const rows = ratio * (1 - ratio) / variance, q2 = student(freedom) ** 2;
      const middle = (ratio + q2 / (2 * rows)) / (1 + q2 / rows);
      const half = Math.sqrt(q2) / (1 + q2 / rows) * Math.sqrt(ratio * (1 - ratio) / rows + q2 / (4 * rows * rows));
      const isOdd = !(number > 2) || !Number.isFinite(half);
      if ((n < FEW || isOdd) && 2 * n <= d) return ofFew(n, d);
      if ((d - n < FEW || n < FEW || isOdd) && 2 * n > d) return ofFew(d - n, d).map((bound) => 1 - bound).reverse();
      return [middle - half, middle + half];
    }
    if (nature === "count" && n < FEW && n <= d) return ofFew(n, d);
    if (!(variance > 0)) return null;
    if (nature === "signed") {
      const half = student(freedom) * Math.sqrt(variance);
      return [ratio - half, ratio + half];
    }
    const q = student(Math.min(freedom, Math.max(ratio * ratio / variance, 1)));
    const shift = q * q * variance / ratio / 2, half = Math.sqrt(q * q * variance + shift * shift);
    return [Math.max(ratio + shift - half, 0), ratio + shift + half];
  }

  function figures(metric, games, index) {
    const sums = games.map((game) => game.sums[index]);
    const [n, d] = [0, 1].map((part) => sums.reduce((sum, one) => sum + one[part], 0));
    if (!d) return ["-", "", "0"];
    const words = (value) => {
      const text = (metric.scale * value + metric.offset).toLocaleString("en", { minimumFractionDigits: metric.decimals, maximumFractionDigits: metric.decimals, roundingMode: "halfEven" });
      return text.replace(/^-(?=[0.,]*$)/, "").replace("-", "\u2212");
    };
    const range = bounds(metric.nature, sums);
    return [words(n / d) + (metric.percent ? _(" %") : "") + (d < 30 ? "*" : ""),
      range ? say(_("{low} to {high}"), { low: words(range[0]), high: words(range[1]) }) : "", d.toLocaleString("en")];
  }

  if (filter) unpack("sums").then((data) => {
    const rows = [...document.querySelectorAll("#played tbody tr")];
    const shownRows = [...document.querySelectorAll("#filtered tbody tr")];
    const textOf = (option) => option.textContent.replace(option.parentNode.name === "other" ? / \(\d+\)$/ : "", "");
    const words = (name) => {
      const field = filter.elements[name];
      return !field || field.value === "" ? null : field.selectedOptions ? textOf(field.selectedOptions[0]) : field.value;
    };
    const rooms = [...new Set(data.games.map((game) => game.room))].sort();

    function choose() {
      const [since, until, seat, other, last] = ["since", "until", "seat", "other", "last"].map(words);
      const room = words("room") === null ? null : rooms[Number(filter.elements.room.value)];
      const isFit = (game) => (since === null || game.day >= since) && (until === null || (game.day && game.day <= until)) &&
        (room === null || game.room === room) && (seat === null || game.seat === Number(seat)) && (other === null || game.others.includes(other));
      let chosen = data.games.map((game, index) => index).filter((index) => isFit(data.games[index]));
      if (last !== null) chosen = chosen.slice(-Number(last));
      const kept = new Set(chosen);
      rows.forEach((row, index) => { row.hidden = !kept.has(index); });
      document.getElementById("chosen").textContent = say(_("{number} of {all} games"), { number: kept.size, all: rows.length });
      const games = chosen.map((index) => data.games[index]);
      shownRows.forEach((row, index) => figures(data.metrics[index], games, index).forEach((text, cell) => { row.cells[cell + 1].textContent = text; }));
    }

    function write() {
      for (const field of filter.elements) if (field.name) keep(field.name, words(field.name));
    }

    function read() {
      for (const [name, text] of new URLSearchParams(location.search)) {
        const field = filter.elements[name];
        if (!field) continue;
        const option = field.options && [...field.options].find((one) => textOf(one) === text);
        field.value = field.options ? (option ? option.value : "") : text;
        filter.closest("details").open = true;
      }
    }

    read();
    filter.addEventListener("input", () => { choose(); write(); });
    filter.addEventListener("reset", () => setTimeout(() => { choose(); write(); }));
    filter.addEventListener("submit", (event) => event.preventDefault());
    choose();
  });

  // --- two players side by side: the second one is chosen ---
  const otherPlayer = document.getElementById("other-player");

  function besides(one) {
    document.getElementById("pair-name").textContent = one.name;
    document.getElementById("pair-said").replaceChildren(...one.said.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }));
    [...document.querySelectorAll("#pair tbody tr")].forEach((row, index) => {
      const [value, interval, difference, bounds, verdict] = one.rows[index];
      [value, interval, difference, bounds].forEach((text, cell) => { row.cells[cell + 3].textContent = text; });
      row.cells[5].className = verdict;
    });
  }

  if (otherPlayer) unpack("pairs").then((all) => {
    const choose = () => besides(all[Number(otherPlayer.value)]), asked = new URLSearchParams(location.search).get("beside");
    otherPlayer.addEventListener("input", () => { choose(); keep("beside", otherPlayer.selectedOptions[0].textContent); });
    otherPlayer.form.addEventListener("submit", (event) => event.preventDefault());
    const option = [...otherPlayer.options].find((one) => one.textContent === asked);
    if (option) { otherPlayer.value = option.value; otherPlayer.closest("details").open = true; }
    if (otherPlayer.value !== "0") choose();  // a browser remembers what was chosen before a reload
  });

  // --- folded parts: a link to something inside opens it ---
  function unfold() {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    const folded = target.closest("details") || target.querySelector(":scope > details");
    if (folded && !folded.open) { folded.open = true; target.scrollIntoView(); }
  }

  window.addEventListener("hashchange", unfold);
  for (const link of document.querySelectorAll("nav a, .lead a")) link.addEventListener("click", () => setTimeout(unfold));
  unfold();
})();
