/* Fills an element with a game that you can step through. See reports/stepper.py for the data.

   With the option "decide", a hand and a step, nothing shows what comes after that step until the reader goes on.

   All text comes into the page through textContent and attributes that hold text; nothing is parsed as HTML. */
function mountStepper(element, data, options) {
  "use strict";
  const settings = Object.assign({ seat: 0, open: true, keys: element, pages: true, onMove: null, decide: null }, options);
  const SVG = "http://www.w3.org/2000/svg";
  const WINDS = [_("East"), _("South"), _("West"), _("North")];
  const PLACES = data.names.length === 3 ? ["bottom", "right", "left"] : ["bottom", "right", "top", "left"];
  const ROOM = { bottom: 16.9, right: 16.9, top: 16.9, left: 16.5 };  // number of tiles that fit in front of a player
  const players = data.names.length;
  const at = { hand: 0, step: 0 };  // step 0 is the deal, step n comes after event n - 1
  let bottom = settings.seat < players ? settings.seat : 0;
  let undecided = settings.decide;
  let isOpen = settings.open && !undecided;
  let marked = null;  // the hand whose marks and moves are listed

  // --- elements -----------------------------------------------------------------------------------------

  function meld(one) {
    const node = make("span", "meld " + one.k);
    const names = tileNames(one.t);
    names.forEach((name, index) => {
      const isBack = one.k === "ankan" && (index === 0 || index === names.length - 1);
      const isAdded = one.k === "kakan" && index === one.x + 1;
      const picture = tile(isBack ? "??" : name, index === one.x || isAdded ? "side" : "");
      if (isAdded) node.lastChild.append(picture);
      else node.append(one.k === "kakan" && index === one.x ? make("span", "stack", picture) : picture);
    });
    return node;
  }

  const ICONS = {
    first: "M5 4V16M16 4L8 10L16 16Z", previous: "M14 4L6 10L14 16Z", next: "M6 4L14 10L6 16Z",
    last: "M15 4V16M4 4L12 10L4 16Z", back: "M10 4L3 10L10 16ZM17 4L10 10L17 16Z", on: "M3 4L10 10L3 16ZM10 4L17 10L10 16Z",
    play: "M5 4L16 10L5 16Z", pause: "M6 4V16M13 4V16",
    before: "M4 13L10 7L16 13", after: "M4 7L10 13L16 7",
    costly: "M10 3L18 17H2ZM10 8V12M10 14V15",
  };

  function button(icon, label, action) {
    const node = make("button", "step-" + icon);
    node.type = "button";
    node.title = label;
    node.setAttribute("aria-label", label);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 20 20");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", ICONS[icon]);
    svg.append(path);
    node.append(svg);
    node.addEventListener("click", action);
    return node;
  }

  function choice(label, className, action) {
    const select = make("select");
    select.setAttribute("aria-label", label);
    select.addEventListener("change", () => action(Number(select.value)));
    return { select, node: make("label", className, make("span", "", label), select) };
  }

  function option(value, text) {
    const node = make("option", "", text);
    node.value = String(value);
    return node;
  }

  // --- the state of the table after a number of events ------------------------------------------------------

  function stateAt(hand, step) {
    const state = {
      seats: hand.dealt.map((tiles, seat) => ({
        h: tiles, d: null, m: [], n: 0, b: "", w: hand.waits[seat], river: [], riichi: false,
      })),
      scores: hand.scores, sticks: hand.sticks, indicators: hand.dora, dora: new Set(tileNames(hand.makes)), wall: hand.wall, active: null, last: null,
    };
    for (const event of hand.events.slice(0, step)) {
      const seat = state.seats[event.s];
      if (event.p) state.scores = event.p;
      if (event.x !== undefined) state.sticks = event.x;
      if (event.k === "dora") state.indicators += event.t;
      if (event.makes) state.dora.add(event.makes);
      if (!seat) continue;
      for (const key of ["h", "d", "m", "n", "b", "w"]) if (event[key] !== undefined) seat[key] = event[key];
      state.active = event.s;
      if (event.k === "draw" || (event.k === "bonus" && hand.furiten)) {  // in riichi the flower is the draw
        state.wall -= 1;
        state.last = null;
      }
      if (event.k === "discard") {
        seat.river.push({ t: event.t, side: Boolean(event.r), drawn: Boolean(event.g), called: false });
        state.last = event.s;
      }
      if (event.k === "riichi_paid") seat.riichi = true;
      if (event.c !== undefined) state.seats[event.f].river[event.c].called = true;
    }
    return state;
  }

  function wind(hand, seat) {
    return hand.dealer === null ? "?" : WINDS[(seat - hand.dealer + players) % players];
  }

  function place(seat) {
    return PLACES[(seat - bottom + players) % players];
  }

  // --- words --------------------------------------------------------------------------------------------

  function name(seat) {
    return make("b", "", data.names[seat] === undefined ? _("a player") : data.names[seat]);
  }

  const MOVES = {
    draw: (e) => isShown(e.s) ? _("{player} draws {tile}") : _("{player} draws a tile"),
    discard: (e) => e.r ? e.g ? _("{player} discards {tile}, the tile just drawn, in riichi") : _("{player} discards {tile}, in riichi")
      : e.g ? _("{player} discards {tile}, the tile just drawn") : _("{player} discards {tile}"),
    chi: () => _("{player} calls chi on {tile} from {other}"),
    pon: () => _("{player} calls pon on {tile} from {other}"),
    daiminkan: () => _("{player} calls an open kan on {tile} from {other}"),
    ankan: () => _("{player} declares a closed kan of {tile}"),
    kakan: () => _("{player} adds {tile} to a pon for an added kan"),
    kita: () => _("{player} sets aside a north"),
    bonus: () => _("{player} sets aside {tile}"),
    riichi: (e) => e.o ? _("{player} declares riichi and shows the hand") : _("{player} declares riichi"),
    riichi_paid: () => _("{player} pays the riichi stick"),
    dora: () => _("New dora indicator: {tile}"),
    win: (e) => e.f === undefined ? _("{player} wins by tsumo on {tile}") : _("{player} wins by ron on {tile} from {other}"),
    hand_draw: (e) => e.draw ? "{ending}" : _("The hand ends in a draw"),
    leave: () => _("{player} leaves the table"),
    return: () => _("{player} is back"),
    foul: () => _("{player} commits a foul: {foul}"),
  };

  function words(hand, step) {
    if (step === 0) {
      return hand.dealer === null ? fill(_("{hand}: the hand is dealt"), { hand: hand.title })
        : fill(_("{hand}: the hand is dealt; {player} is East"), { hand: hand.title, player: name(hand.dealer) });
    }
    const event = hand.events[step - 1];
    const said = fill(MOVES[event.k](event), {
      player: name(event.s), tile: told(event.t), other: name(event.f), ending: event.draw && event.draw.name, foul: event.foul,
    });
    return event.u ? fill(_("{move} (the log does not record when)"), { move: said }).flat() : said;
  }

  function isShown(seat) {
    return isOpen || seat === bottom;
  }

  function points(number) {
    return (number > 0 ? "+" : "") + String(number).replace("-", "\u2212");
  }

  // --- building -----------------------------------------------------------------------------------------

  element.replaceChildren();
  element.classList.add("stepper");
  element.tabIndex = -1;

  const handButtons = {
    before: button("before", _("Hand before (k)"), () => turnHand(-1)),
    after: button("after", _("Next hand (j)"), () => turnHand(1)),
  };
  const handChoice = choice(_("Hand"), "choose-hand", (value) => go(value, 0));
  data.hands.forEach((_hand, index) => handChoice.select.append(option(index, "")));
  const isWhole = data.hands.length > 1;
  for (const node of [handChoice.node, ...Object.values(handButtons)]) node.hidden = !isWhole;
  const seatChoice = choice(_("Seat"), "choose-seat", (value) => { bottom = value; draw(); });
  data.names.forEach((text, seat) => seatChoice.select.append(option(seat, text)));
  seatChoice.select.value = String(bottom);
  const openBox = make("input");
  openBox.type = "checkbox";
  openBox.checked = isOpen;
  openBox.addEventListener("change", () => { isOpen = openBox.checked; draw(); });

  const table = make("div", "table players-" + players);
  table.addEventListener("click", (event) => {
    const box = table.getBoundingClientRect();
    turn(event.clientX < box.left + box.width / 2 ? -1 : 1);
  });
  const move = make("p", "move");
  move.setAttribute("aria-live", "polite");
  const remarks = make("ul", "remarks");
  const ticks = make("div", "ticks");
  ticks.setAttribute("aria-hidden", "true");
  const slider = make("input", "slider");
  slider.type = "range";
  slider.min = "0";
  slider.setAttribute("aria-label", _("Move"));
  slider.addEventListener("input", () => go(at.hand, Number(slider.value)));
  const buttons = {
    first: button("first", _("First move (Home)"), () => go(at.hand, 0)),
    back: button("back", _("Previous decision of the bottom seat (up)"), () => decide(-1)),
    previous: button("previous", _("Previous move (left)"), () => turn(-1)),
    next: button("next", _("Next move (right)"), () => turn(1)),
    on: button("on", _("Next decision of the bottom seat (down)"), () => decide(1)),
    last: button("last", _("Last move (End)"), () => go(at.hand, Infinity)),
    play: button("play", _("Play (space)"), () => play(timer === null)),
    costly: button("costly", _("Next costly decision of the bottom seat (n; p: the one before)"), () => findCostly(1)),
  };
  const count = make("span", "count");
  const controls = make("div", "controls", make("div", "buttons", ...Object.values(buttons)),
    make("div", "track", slider, ticks), count);
  const result = make("div", "result");
  const chance = make("p", "chance");
  const worths = make("div", "options");
  let overview = handList(undecided ? [] : data.hands);
  buttons.costly.hidden = !data.hands.some((hand) => (hand.choices || []).some((one) => one.x));
  const list = make("ul", "marks");
  const marks = make("section", "all-marks", make("h2", "", _("Findings in this hand")), list);

  element.append(
    make("div", "choices", make("div", "hand-by-hand", handButtons.before, handChoice.node, handButtons.after), seatChoice.node, make("label", "choose-open", openBox, make("span", "", _("All hands open")))),
    make("div", "board", table, make("div", "panel", move, controls, remarks, chance, worths, result, marks, overview)),
  );

  function tellHands() {  // the hands to choose from, with their results
    data.hands.forEach((hand, index) => {
      handChoice.select.options[index].textContent = (hand.said || hand.label) + (undecided ? "" : " \u00b7 " + hand.result);
    });
  }

  tellHands();

  function handList(hands) {  // all hands of the game: how each ended, and the scores it began with
    const scores = (row, numbers) => row.append(...data.names.map((name, seat) =>
      make("td", "", numbers[seat] === null || numbers[seat] === undefined ? "" : String(numbers[seat]))));
    const rows = hands.map((hand, index) => {
      const label = make("button", "", hand.said || hand.label);
      label.type = "button";
      label.addEventListener("click", () => go(index, 0));
      const head = make("th", "", label);
      head.scope = "row";
      const row = make("tr", "", head, make("td", "how", hand.result));
      scores(row, hand.scores);
      return row;
    });
    if (hands.length && hands[hands.length - 1].over) {
      const row = make("tr", "", make("th", "", _("end")), make("td", "how"));
      row.firstChild.scope = "row";
      scores(row, data.final);
      rows.push(row);
    }
    const heads = [_("hand"), _("result"), ...data.names].map((text) => {
      const head = make("th", "", text);
      head.scope = "col";
      head.title = text;
      return head;
    });
    const body = make("tbody", "", ...rows);
    const region = make("div", "hands-scroll", make("table", "", make("thead", "", make("tr", "", ...heads)), body));
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", _("Hands of this game"));
    const node = make("details", "all-hands", make("summary", "", _("Hands of this game")), region);
    node.hidden = hands.length < 2;
    return node;
  }

  // --- drawing ------------------------------------------------------------------------------------------

  function pond(seat, isLast) {
    const node = make("div", seat.river.length > 18 ? "pond long" : "pond");
    seat.river.forEach((one, index) => {
      if (index % 6 === 0 && (index < 24)) node.append(make("div", "rank"));
      const classes = [one.side ? "side" : "", one.called ? "called" : "", one.drawn ? "drawn" : "",
        isLast && index === seat.river.length - 1 ? "last" : ""];
      node.lastChild.append(tile(tileNames(one.t)[0] || "??", classes.join(" ").trim()));
    });
    return node;
  }

  function seatNode(state, seat, isRevealed) {
    const one = state.seats[seat];
    const show = (text) => isRevealed ? tiles(text) : tileNames(text).map(() => tile("??"));
    const closed = make("div", "closed", ...show(one.h));
    if (one.d !== null) closed.append(...show(one.d).map((node) => { node.classList.add("new"); return node; }));
    const row = make("div", "held", closed, make("div", "melds", ...[...one.m].reverse().map(meld)));
    const width = closed.children.length * (seat === bottom ? 1.17 : 1) + 0.5 + one.m.reduce((sum, m) => sum + meldWidth(m), 0);
    if (width > ROOM[place(seat)]) row.style.setProperty("--squeeze", String(ROOM[place(seat)] / width));
    const node = make("div", "seat " + place(seat) + (state.active === seat ? " active" : ""),
      one.riichi ? make("div", "stick") : null, pond(one, state.last === seat), row);
    node.setAttribute("role", "group");
    node.setAttribute("aria-label", data.names[seat]);
    return node;
  }

  function meldWidth(one) {  // in tiles, the gap included
    const flat = tileNames(one.t).length - (one.k === "kakan" ? 1 : 0);
    return 0.85 * (flat + (one.x === undefined ? 0 : 1 / 3) + 0.15);
  }

  function waitsNode(one, hand) {
    const kinds = tileNames(one.w);
    const isFuriten = hand.furiten && one.river.some((discard) => kinds.includes(discard.t.replace("0", "5")));
    const node = make("span", "waits", make("span", "facts", _("waits")), ...kinds.map((name) => tile(name)), isFuriten ? make("span", "furiten", _("furiten")) : null);
    node.title = isFuriten ? _("Tenpai: the waits, one of which is among the discards") : _("Tenpai: the waits");
    return node;
  }

  function plate(hand, state, seat, isRevealed) {
    const one = state.seats[seat];
    const side = wind(hand, seat);
    const badge = make("span", side === WINDS[0] ? "wind east" : "wind", side[0]);
    badge.title = side;
    const score = state.scores[seat];
    const label = make("span", "name", data.names[seat]);
    label.title = [data.names[seat], data.grades[seat]].filter(Boolean).join(", ");
    return make("div", "plate at-" + place(seat) + (state.active === seat ? " active" : ""), badge, label,
      make("span", "holds", make("span", "score", score === null || score === undefined ? "" : String(score)),
        one.n ? make("span", "norths", tile("4z"), "\u00d7" + one.n) : null,
        one.b ? make("span", "norths", ...tiles(one.b)) : null,
        one.riichi ? make("span", "riichi", _("riichi")) : null),
      one.w && isRevealed ? waitsNode(one, hand) : null);
  }

  function drawTable(hand, state) {
    const event = at.step ? hand.events[at.step - 1] : null;
    const end = event && event.draw ? event.draw.shown : [];
    const won = new Set(hand.events.slice(0, at.step).filter((one) => one.win).map((one) => one.s));
    const isRevealed = (seat) => isShown(seat) || won.has(seat) || Boolean(end[seat]);
    const nodes = data.names.map((_name, seat) => seatNode(state, seat, isRevealed(seat)));
    const facts = [hand.honba ? say(_("{count} honba"), { count: hand.honba }) : "",
      state.sticks ? say(state.sticks === 1 ? _("{count} stick") : _("{count} sticks"), { count: state.sticks }) : ""];
    const centre = make("div", "centre", make("span", "round", hand.round),
      make("span", "facts", facts.filter(Boolean).join(_(", "))),
      make("span", "dora", ...tiles(state.indicators)), make("span", "wall", ...fill(_("{count} left"), { count: String(state.wall) })));
    centre.lastChild.title = _("Tiles left to draw");
    centre.children[2].title = _("Dora indicators");
    for (const picture of nodes.flatMap((node) => [...node.querySelectorAll(".tile")])) {
      const shown = picture.getAttribute("aria-label");
      if (shown[0] === "0" || state.dora.has(shown)) picture.classList.add("bonus");
    }
    table.replaceChildren(...nodes, centre, ...data.names.map((_name, seat) => plate(hand, state, seat, isRevealed(seat))));
  }

  function markNode(mark, hand, isLink) {
    const who = mark.seat === null || data.names[mark.seat] === undefined ? "" : data.names[mark.seat] + ": ";
    const text = [make("code", "", mark.code), " ", who + mark.text];
    const node = make("li", "mark " + mark.severity.replace(/[^a-z]/g, ""));
    if (!isLink) { node.append(...text); return node; }
    const link = make("button", "", ...text);
    link.type = "button";
    link.addEventListener("click", () => go(at.hand, mark.event === null ? 0 : mark.event + 1));
    node.append(link);
    return node;
  }

  function drawMarks(hand) {
    if (undecided) { marks.hidden = true; return; }
    const isHere = (mark) => (mark.event === null ? 0 : mark.event + 1) === at.step;
    remarks.replaceChildren(...hand.marks.filter(isHere).map((mark) => markNode(mark, hand, false)));
    if (marked === hand) return;
    marked = hand;
    list.replaceChildren(...hand.marks.map((mark) => markNode(mark, hand, true)));
    marks.hidden = hand.marks.length === 0;
    ticks.replaceChildren(...hand.marks.map((mark) => {
      const tick = make("i", mark.severity.replace(/[^a-z]/g, ""));
      tick.style.left = 100 * (mark.event === null ? 0 : mark.event + 1) / Math.max(1, hand.events.length) + "%";
      return tick;
    }));
  }

  function drawLuck(hand) {  // of the chance nodes at this move that moved somebody much
    const here = undecided ? [] : (hand.luck || []).filter((one) => (one.e === null ? 0 : one.e + 1) === at.step);
    const sums = data.names.map((_name, seat) => here.reduce((sum, one) => sum + one.l[seat], 0));
    const said = sums.map((sum, seat) => data.names[seat] + " " + points(sum));
    chance.hidden = here.length === 0 || data.names.some((_name, seat) => !isShown(seat));
    chance.textContent = here.length ? _("Luck here, in points: ") + said.join(" \u00b7 ") : "";
  }

  function drawOptions(hand) {
    const choice = (hand.choices || []).find((one) => one.s === bottom && one.e + 1 === at.step);
    if (undecided || !choice || !isShown(bottom)) { worths.replaceChildren(); return; }
    const said = choice.u ? _("Strong players hardly ever do this") : choice.l ? _("{points} points below the best option, by estimate") : _("The best option");
    const title = say(choice.x ? _("A mistake: {price}") : said, { price: choice.x, points: choice.l.toLocaleString("en") });
    const heads = [_("option"), _("shanten"), _("tiles"), _("deal-in"), _("estimate"), ""];
    const head = make("tr", "", ...heads.map((text) => make("th", "", text)));
    const rows = choice.o.map((one, index) => {
      const isChosen = index === choice.c, isBest = index === choice.b;
      const row = make("tr", (isChosen ? "chosen " : "") + (isBest ? "best" : ""), make("th", "", ...optionWords(one[0])),
        make("td", "", String(one[1])), make("td", "", String(one[2])), make("td", "", one[3].toFixed(1) + "%"),
        make("td", "", one[4] === null ? "" : one[4].toLocaleString("en").replace("-", "\u2212")),
        make("td", "mark-of", [isChosen ? _("chosen") : "", isBest ? (choice.u ? _("strong players") : _("best")) : ""].filter(Boolean).join(_(", "))));
      row.firstChild.scope = "row";
      return row;
    });
    worths.replaceChildren(make("h2", choice.x ? "costly" : "", title),
      make("table", "", make("thead", "", head), make("tbody", "", ...rows)));
  }

  function scoreTable(deltas, scores) {
    const rows = data.names.map((text, seat) => {
      const delta = deltas[seat];
      const row = make("tr", "", make("th", "", text),
        make("td", delta > 0 ? "gain" : delta < 0 ? "loss" : "", delta ? points(delta) : ""),
        make("td", "", scores[seat] === null || scores[seat] === undefined ? "" : String(scores[seat])));
      row.firstChild.scope = "row";
      return row;
    });
    return make("table", "scores", make("tbody", "", ...rows));
  }

  function indicators(title, text) {
    return text ? make("span", "indicators", title + " ", ...tiles(text)) : null;
  }

  function winNode(event) {
    const win = event.win;
    return make("div", "ending", make("h2", "", win.words),
      make("div", "won", make("span", "closed", ...tiles(win.hand)), make("span", "closed", ...tiles(win.tile, "new")),
        ...win.melds.map(meld), win.kita ? make("span", "norths", tile("4z"), "\u00d7" + win.kita) : null,
        win.bonus ? make("span", "norths", ...tiles(win.bonus)) : null),
      make("div", "turned", indicators(_("dora"), win.dora), indicators(_("ura"), win.ura)),
      make("p", "worth", win.worth.join(" \u00b7 ")),
      make("ul", "yaku", ...win.yaku.map((text) => make("li", "", text))),
      win.liable === undefined ? null : make("p", "", ...fill(_("{player} is liable"), { player: win.liable })), scoreTable(win.deltas, event.p));
  }

  function drawNode(event) {
    const tenpai = data.names.filter((_name, seat) => event.draw.tenpai[seat]);
    const isKnown = event.draw.tenpai.some((one) => one !== null);
    return make("div", "ending", make("h2", "", event.draw.name),
      isKnown ? make("p", "worth", ...fill(_("Tenpai: {players}"), { players: tenpai.join(_(", ")) || _("nobody") })) : null,
      scoreTable(event.draw.deltas, event.p));
  }

  function gameNode() {
    const order = data.names.map((_name, seat) => seat).sort((a, b) => data.final[b] - data.final[a] || a - b);
    const rows = order.map((seat, index) => {
      const total = data.points[seat];
      const row = make("tr", "", make("td", "", String(index + 1)), make("th", "", data.names[seat]),
        make("td", "", String(data.final[seat])), make("td", "", total === null ? "" : points(total)));
      row.children[1].scope = "row";
      return row;
    });
    return make("div", "ending", make("h2", "", _("End of the game")), make("table", "scores", make("tbody", "", ...rows)));
  }

  function drawResult(hand) {
    const ends = hand.events.slice(0, at.step).filter((event) => event.win || event.draw);
    const nodes = ends.map((event) => event.win ? winNode(event) : drawNode(event));
    if (at.step === hand.events.length && !undecided && !hand.events.some((event) => event.win || event.draw)) {
      nodes.push(make("p", "ending", _("The log stops inside this hand.")));
    }
    if (at.step === hand.events.length && hand.over) nodes.push(gameNode());
    result.replaceChildren(...nodes);
  }

  function draw() {
    const hand = data.hands[at.hand];
    drawTable(hand, stateAt(hand, at.step));
    drawMarks(hand);
    drawLuck(hand);
    drawOptions(hand);
    drawResult(hand);
    move.replaceChildren(...words(hand, at.step));
    handChoice.select.value = String(at.hand);
    [...overview.querySelector("tbody").rows].forEach((row, index) => {
      if (index === at.hand) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    handButtons.before.setAttribute("aria-disabled", String(at.hand === 0));
    handButtons.after.setAttribute("aria-disabled", String(at.hand === data.hands.length - 1));
    slider.max = String(hand.events.length);
    slider.value = String(at.step);
    slider.setAttribute("aria-valuetext", move.textContent);
    count.textContent = at.step === 0 ? _("deal") : say(_("event {number}"), { number: at.step - 1 });
    const isFirst = at.step === 0 && at.hand === 0;
    const isLast = at.step === hand.events.length && at.hand === data.hands.length - 1;
    const idle = {
      first: at.step === 0, last: at.step === hand.events.length,
      previous: isFirst, back: isFirst, next: isLast, on: isLast,
    };
    // Not the attribute "disabled": a disabled button loses the focus, and key presses with it.
    for (const [key, node] of Object.entries(buttons)) node.setAttribute("aria-disabled", String(Boolean(idle[key])));
  }

  // --- moving -------------------------------------------------------------------------------------------

  function go(hand, step, isPlayed) {
    if (!isPlayed && timer !== null) play(false);
    at.hand = Math.min(Math.max(hand, 0), data.hands.length - 1);
    at.step = Math.min(Math.max(step, 0), data.hands[at.hand].events.length);
    if (undecided && (at.hand !== undecided.hand || at.step > undecided.step)) reveal();
    draw();
    if (settings.onMove) settings.onMove(data.hands[at.hand].label, at.step ? at.step - 1 : null);
  }

  function reveal() {
    const hidden = overview;
    undecided = null;
    overview = handList(data.hands);
    hidden.replaceWith(overview);
    tellHands();
  }

  function turn(by) {  // one move, across the borders of hands
    const step = at.step + by;
    if (step < 0) { if (at.hand > 0) go(at.hand - 1, Infinity); }
    else if (step > data.hands[at.hand].events.length) { if (at.hand < data.hands.length - 1) go(at.hand + 1, 0); }
    else go(at.hand, step);
  }

  function decide(by) {  // to the next draw or call of the seat at the bottom, or to the end of the hand
    const events = data.hands[at.hand].events;
    const isChoice = (event) => event.s === bottom && ["draw", "chi", "pon"].includes(event.k);
    let step = at.step + by;
    while (step > 0 && step < events.length && !isChoice(events[step - 1])) step += by;
    if (step < 0 || step > events.length) turn(by);
    else go(at.hand, step);
  }

  // Play: a move each PACE milliseconds, to the end of the hand. A move by hand ends it.
  const PACE = 900;
  let timer = null;

  function play(isOn) {
    if (timer !== null) clearInterval(timer);
    timer = null;
    if (isOn) {
      if (at.step === data.hands[at.hand].events.length) go(at.hand, 0);
      timer = setInterval(() => {
        const isEnd = at.step >= data.hands[at.hand].events.length;
        if (isEnd || !element.isConnected) play(false);
        else go(at.hand, at.step + 1, true);
      }, PACE);
    }
    const label = isOn ? _("Pause (space)") : _("Play (space)");
    buttons.play.title = label;
    buttons.play.setAttribute("aria-label", label);
    buttons.play.querySelector("path").setAttribute("d", ICONS[isOn ? "pause" : "play"]);
  }

  function findCostly(by) {  // to the next costly decision of the seat at the bottom, in any hand
    for (let index = at.hand; data.hands[index]; index += by) {
      const steps = (data.hands[index].choices || []).filter((one) => one.x && one.s === bottom).map((one) => one.e + 1);
      const ahead = steps.filter((step) => index !== at.hand || (step - at.step) * by > 0).sort((a, b) => (a - b) * by);
      if (ahead.length) { go(index, ahead[0]); return; }
    }
  }

  function turnHand(by) {
    if (data.hands[at.hand + by]) go(at.hand + by, 0);
  }

  const KEYS = {
    ArrowLeft: () => turn(-1), ArrowRight: () => turn(1), ArrowUp: () => decide(-1), ArrowDown: () => decide(1),
    Home: () => go(at.hand, 0), End: () => go(at.hand, Infinity), j: () => turnHand(1), k: () => turnHand(-1),
    " ": () => play(timer === null), n: () => findCostly(1), p: () => findCostly(-1),
  };

  if (settings.pages) Object.assign(KEYS, { PageUp: KEYS.k, PageDown: KEYS.j });  // a page may need them itself

  const listening = new AbortController();
  settings.keys.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    if (!action || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest("select, textarea, input:not(.slider):not([type=checkbox])")) return;
    event.preventDefault();
    action();
  }, { signal: listening.signal });

  function show(hand, event) {
    const index = typeof hand === "number" ? hand : data.hands.findIndex((one) => one.label === hand);
    if (index < 0 || index >= data.hands.length) return false;
    go(index, event === null || event === undefined ? 0 : event + 1);
    return true;
  }

  if (data.hands.length) draw();
  else element.replaceChildren(make("p", "ending", _("This game has no hands.")));
  return { show, close: () => { play(false); listening.abort(); element.replaceChildren(); } };
}
