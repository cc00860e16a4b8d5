/* Fills an element with the chart of a game: the mean place that each seat could expect, event by event, with
   links to the hands and moments that changed most. See reports/pages/stepper.py for the data.

   address(label, event) is the address of a position in the page. */
function drawLuckChart(element, data, address) {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const course = data.luck;
  const hands = data.hands;
  const STROKES = ["", "7 3", "2 3", "9 3 2 3"];
  const TOP = 34, LEFT = 20, BOTTOM = 24;
  let current = null;  // label and event of the position shown
  let width = 0;

  function make(tag, className, ...content) {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...content);
    return node;
  }

  function draw(tag, attributes, ...content) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    node.append(...content);
    return node;
  }

  const points = (number) => (number > 0 ? "+" : "") + number.toLocaleString("en").replace("-", "\u2212");
  const said = (hand) => hand.said || hand.label;
  const percentages = (chances) => chances.join(" ") + "%";
  const change = (turn) => say(_("{player}, from place {before} to {after}"), {
    player: data.names[turn.s], before: course.places[turn.h][turn.s].toFixed(1), after: course.places[turn.h + 1][turn.s].toFixed(1),
  });
  const moment = (turn) => turn.w + " (" + say(_("{player}, from place {before} to {after}"), {
    player: data.names[turn.o], before: turn.f.toFixed(1), after: turn.t.toFixed(1),
  }) + ")";

  function link(href, label, className, ...content) {
    const node = draw("a", { href, class: className, "aria-label": label }, draw("title", {}, label), ...content);
    return node;
  }

  const figure = make("figure", "luck-chart");
  const canvas = draw("svg", { role: "group", "aria-label": _("Chart of the expected places, with links to the largest changes") });
  const turns = make("ol", "turns", ...course.turns.map((turn) => {
    const to = (event, text) => {
      const node = make("a", "", text);
      node.href = address(hands[turn.h].label, event);
      return node;
    };
    return make("li", "", to(null, said(hands[turn.h])), " ", change(turn) + " \u00b7 ", ...fill(_("largest swing: {moment}"), { moment: to(turn.e, moment(turn)) }));
  }));

  function numbers() {
    const cell = (tag, ...content) => make(tag, "", ...content);
    const head = cell("tr", ...[_("hand"), ...data.names].map((text) => Object.assign(cell("th", text), { scope: "col" })));
    const row = (name, chances, luck) => cell("tr", Object.assign(cell("th", name), { scope: "row" }),
      ...chances.map((one, seat) => cell("td", percentages(one), ...(luck ? [make("br"), points(luck[seat])] : []))));
    const rows = course.chances.map((chances, index) =>
      row(index < hands.length ? said(hands[index]) : _("end"), chances, course.luck[index]));
    const region = make("div", "hands-scroll", cell("table", cell("thead", head), cell("tbody", ...rows)));
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", _("Place chances and luck of each hand"));
    return make("details", "numbers", make("summary", "", _("Place chances and luck of each hand")), region);
  }

  function fit(text, room) {  // shortens a label until there is room for it
    const name = text.textContent;
    for (let length = name.length; length > 1 && text.getComputedTextLength() > room; length -= 1) {
      text.textContent = Array.from(name).slice(0, length - 1).join("") + "\u2026";
    }
  }

  function redraw() {
    width = Math.max(240, figure.clientWidth);
    const isSmall = width < 560;
    const height = isSmall ? 210 : 270, right = isSmall ? 76 : 130;
    const segment = (width - LEFT - right) / hands.length;
    const x = (index) => LEFT + segment * index;
    const y = (place) => TOP + (place - 1) / (data.names.length - 1) * (height - TOP - BOTTOM - 12) + 6;
    const at = (index, event) => x(index) + segment * (event === null ? 0 : event + 1) / Math.max(1, hands[index].events.length);
    const steps = hands.map((_hand, index) => [
      { at: x(index), places: course.places[index] },
      ...course.course[index].e.map((event, place) => ({ event, at: at(index, event), places: course.course[index].p[place] })),
    ]);
    const line = (seat, index, event) => y(steps[index].findLast((step) => step.event == null || step.event <= (event ?? -1)).places[seat]);
    canvas.setAttribute("viewBox", `0 0 ${width} ${height}`);
    canvas.setAttribute("width", width);
    canvas.setAttribute("height", height);
    const nodes = [];
    const now = current && hands.findIndex((hand) => hand.label === current.label);
    for (const turn of course.turns) {
      nodes.push(draw("rect", { class: "turn-band", x: x(turn.h), y: TOP, width: segment, height: height - TOP - BOTTOM }));
    }
    for (let place = 1; place <= data.names.length; place += 1) {
      nodes.push(draw("line", { class: "rule", x1: LEFT, x2: width - right, y1: y(place), y2: y(place) }),
        draw("text", { class: "tick", x: LEFT - 6, y: y(place) + 4, "text-anchor": "end", "aria-hidden": "true" }, String(place)));
    }
    let free = 0;
    hands.forEach((hand, index) => {
      const label = said(hand).replace(/\.0$/, "");
      const room = 8 * Array.from(label).reduce((sum, char) => sum + (char > "\u2e7f" ? 1.7 : 1), 0);
      nodes.push(draw("line", { class: "edge", x1: x(index), x2: x(index), y1: height - BOTTOM, y2: height - BOTTOM + 4 }));
      if (x(index) + segment / 2 - room / 2 < free) return;
      free = x(index) + segment / 2 + room / 2 + 4;
      nodes.push(draw("text", { class: "tick", x: x(index) + segment / 2, y: height - 6, "text-anchor": "middle", "aria-hidden": "true" }, label));
    });
    if (now !== null && now >= 0) {
      nodes.push(draw("line", { class: "now", x1: at(now, current.event), x2: at(now, current.event), y1: TOP, y2: height - BOTTOM }));
    }
    const labels = data.names.map((name, seat) => {
      const path = steps.flat().map((step, index) => (index ? "L" : "M") + step.at.toFixed(1) + " " + y(step.places[seat]).toFixed(1)).join("");
      nodes.push(draw("path", { class: "line seat-" + seat, d: path, "stroke-dasharray": STROKES[seat], "aria-hidden": "true" }));
      return draw("text", { class: "name seat-" + seat, x: width - right + 8, y: y(course.places[hands.length][seat]) + 4 }, name);
    });
    nodes.push(...labels);
    hands.forEach((hand, index) => {  // the way to a hand by pointer; by keyboard there is the list of hands
      const label = said(hand) + ": " + data.names.map((name, seat) => name + " " + percentages(course.chances[index][seat])).join(" \u00b7 ");
      const node = link(address(hand.label, null), label, "to-hand", draw("rect", { x: x(index), y: TOP, width: segment, height: height - TOP - BOTTOM }));
      node.setAttribute("tabindex", "-1");
      nodes.push(node);
    });
    const taken = { 25: -Infinity, 9: -Infinity };  // heights -> the end of the last number there
    course.turns.forEach((turn, number) => {
      const hand = hands[turn.h], wanted = x(turn.h) + segment / 2;
      const up = taken[25] < wanted - 9 || taken[9] > taken[25] ? 25 : 9;
      const middle = Math.max(wanted, taken[up] + 9);
      taken[up] = middle + 9;
      nodes.push(link(address(hand.label, null), said(hand) + ": " + change(turn), "turn", draw("circle", { cx: middle, cy: up, r: 8 }),
        draw("text", { x: middle, y: up + 4, "text-anchor": "middle", "aria-hidden": "true" }, String(number + 1))));
      const left = at(turn.h, turn.e), top = line(turn.o, turn.h, turn.e);
      nodes.push(link(address(hand.label, turn.e), said(hand) + ": " + moment(turn), "moment seat-" + turn.o,
        draw("circle", { class: "around", cx: left, cy: top, r: 12 }),
        draw("path", { d: `M${left} ${top - 6}L${left + 6} ${top}L${left} ${top + 6}L${left - 6} ${top}Z` })));
    });
    const focused = canvas.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    canvas.replaceChildren(...nodes);
    labels.forEach((label) => fit(label, right - 10));
    if (focused) canvas.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  }

  figure.append(canvas, turns, numbers(), make("figcaption", "", _("Lines: the mean of the places that a seat could expect after each event, from all hands and the place chances. Numbers: the hands that changed it most; diamonds: the event with the largest swing in each.")));
  element.replaceChildren(make("summary", "", _("Course of the game")), figure);
  const watch = new ResizeObserver(() => { if (figure.clientWidth && figure.clientWidth !== width) redraw(); });
  watch.observe(figure);
  redraw();
  return {
    follow: (label, event) => { current = { label, event }; redraw(); },
    close: () => { watch.disconnect(); element.replaceChildren(); },
  };
}
