/* Fills an element with the trainer: positions to decide again, one at a time. See reports/pages/trainer.py for the data.

   "asked" holds what is asked; answers() gives what is answered, of which nothing is in the page before a choice.
   showTable(answer, isDecided) opens the table of a position, up to the decision unless that is made.

   A position that is answered right comes again after 1, 3, 7, 21 and 60 days; one that is answered wrong comes again
   in this sitting, and the next day. What becomes of it is kept in the browser's storage, if it has one. */
function mountTrainer(element, asked, answers, showTable) {
  "use strict";
  const DAYS = [1, 3, 7, 21, 60];
  const RIGHT = -1;
  const now = new Date();
  const today = Math.floor((now.getTime() - now.getTimezoneOffset() * 60000) / 86400000);
  let isKept = true;
  let records = read();  // by key: box (the next of DAYS), due (a day), seen, right, of (the class)
  const failed = new Set();  // positions answered wrong in this sitting
  let queue = [];
  let onKey = () => {};
  element.addEventListener("keydown", (event) => onKey(event));

  function storage(use) {
    try {
      return use(window.localStorage);
    } catch {  // refused, or full
      isKept = false;
      return null;
    }
  }

  // Records that make sense: another program, version or hand may have written there, or a clock that was ahead.
  function read() {
    let kept = null;
    try {
      kept = JSON.parse(storage((place) => place.getItem(asked.deck)));
    } catch {}  // no JSON
    const most = today + DAYS[DAYS.length - 1];
    const isSound = (record) => record && ["box", "due", "seen", "right", "of"].every((name) => Number.isSafeInteger(record[name]))
      && record.box in DAYS && record.due >= 0 && record.right >= 0 && record.seen >= record.right;
    const sound = Object.entries(kept || {}).filter(([, record]) => isSound(record));
    return Object.fromEntries(sound.map(([key, record]) => [key, Object.assign({}, record, { due: Math.min(record.due, most) })]));
  }

  function write() {
    storage((kept) => kept.setItem(asked.deck, JSON.stringify(records)));
  }

  function button(text, action, className) {
    const node = make("button", className || "", text);
    node.type = "button";
    node.addEventListener("click", action);
    return node;
  }

  function day(number) {
    return new Date(number * 86400000).toISOString().slice(0, 10);
  }

  // --- between sittings: what is due, and what became of the positions ------------------------------------

  function overview() {
    const positions = asked.positions.map((one) => ({ one, record: records[one.key] }));
    const known = positions.filter(({ record }) => record).sort((a, b) => a.record.due - b.record.due);
    const due = known.filter(({ record }) => record.due <= today), fresh = positions.filter(({ record }) => !record);
    queue = [...due, ...fresh].map(({ one }) => one);
    onKey = () => {};
    failed.clear();
    const status = make("p", "status", say(_("Due today: {due}, new: {fresh}"), { due: due.length, fresh: fresh.length }));
    const start = button(_("Start"), next, "main");
    if (!queue.length) {
      status.append(" \u00b7 " + say(_("next on {day}"), { day: day(known[0].record.due) }));
      start.textContent = _("Go on anyway");
      queue = known.map(({ one }) => one);
    }
    const forget = button(_("Forget all results"), () => {
      if (!window.confirm(_("Forget all results of this trainer?"))) return;
      records = {};
      storage((kept) => kept.removeItem(asked.deck));
      overview().focus();
    });
    const hasResults = Object.keys(records).length > 0;
    element.replaceChildren(status, make("p", "buttons", start, hasResults ? forget : null),
      ...(hasResults ? [results()] : []),
      isKept ? "" : make("p", "lead", _("This browser keeps nothing for this page: results are lost when you close it.")));
    return start;
  }

  function results() {
    const rows = asked.titles.map((title, place) => {
      const own = Object.values(records).filter((record) => record.of === place);
      const sum = (of) => own.reduce((total, record) => total + of(record), 0);
      const cells = [sum((one) => one.seen), sum((one) => one.right), sum((one) => one.due <= today)];
      return make("tr", "", make("th", "", title), ...cells.map((number) => make("td", "", String(number))));
    });
    return table([_("kind of decision"), _("answered"), _("right"), _("due")], rows);
  }

  function table(heads, rows) {
    for (const row of rows) row.firstChild.scope = "row";
    const head = make("tr", "", ...heads.map((text) => make("th", "", text)));
    for (const cell of head.children) cell.scope = "col";
    return make("table", "", make("thead", "", head), make("tbody", "", ...rows));
  }

  // --- a position ---------------------------------------------------------------------------------------

  function next() {
    if (queue.length) ask(queue.shift());
    else overview().focus();
  }

  function ask(one) {
    let chosen = null, isOpen = true;
    const choices = [];  // buttons in the order on the page, each with its option

    function pick(text, option) {
      const node = button(text, () => (chosen === option && isOpen ? answer() : choose(node)), "pick");
      node.setAttribute("role", "radio");
      node.setAttribute("aria-checked", "false");
      node.tabIndex = choices.length ? -1 : 0;
      choices.push({ node, option });
      return node;
    }

    function tilePick(name) {
      const option = one.options.findIndex((each) => each.tile === name);
      const picture = tile(name);
      picture.setAttribute("aria-hidden", "true");
      const node = option < 0 ? make("span", "pick", picture) : pick(picture, option);
      node.setAttribute("aria-label", tileSaid(name));
      node.title = name;
      return node;
    }

    function choose(node) {
      if (!isOpen) return;
      for (const each of choices) {
        const isIt = each.node === node;
        each.node.setAttribute("aria-checked", String(isIt));
        each.node.tabIndex = isIt ? 0 : -1;
        if (isIt) chosen = each.option;
      }
      node.focus();
      confirm.removeAttribute("aria-disabled");
    }

    const hand = make("div", "held", make("span", "group", ...one.closed.map(tilePick)),
      one.last ? make("span", "group drawn", tilePick(one.last)) : null,
      ...one.melds.map((meld) => make("span", "group set", ...tiles(meld))),
      one.aside.length ? make("span", "group set", ...one.aside.map((name) => tile(name))) : null);
    const others = one.options.map((each, option) => each.tile ? null : pick(make("span", "", ...optionWords(each.said)), option));
    const picks = make("div", "picks", hand, make("p", "buttons", ...others));
    picks.setAttribute("role", "radiogroup");
    picks.setAttribute("aria-label", _("Your choice"));
    onKey = (event) => {
      const at = choices.findIndex(({ node }) => node === document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const digit = "1234567890".indexOf(event.key);
      if (!isOpen || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" && at >= 0 && chosen !== null) answer();
      else if (step && (chosen === null || at < 0)) choose(choices[Math.max(at, 0)].node);
      else if (step) choose(choices[(at + step + choices.length) % choices.length].node);
      else if (digit >= 0 && choices[digit]) choose(choices[digit].node);
      else return;
      event.preventDefault();
    };

    const confirm = button(_("Answer"), () => { if (chosen !== null && isOpen) answer(); }, "main");
    confirm.setAttribute("aria-disabled", "true");
    const outcome = make("p", "outcome");
    outcome.setAttribute("role", "status");
    const after = make("div", "after");
    const left = make("p", "where", say(_("{count} after this one"), { count: queue.length }));
    element.replaceChildren(left, make("h3", "", one.place),
      ...one.table.map((text) => make("p", "where", ...optionWords(text))),
      picks, make("p", "buttons", confirm, button(_("See the table"), async () => {
        showTable(await answerOf(one), !isOpen);
      })), outcome, after);
    choices[0].node.focus({ preventScroll: true });
    if (element.getBoundingClientRect().top < 0) element.scrollIntoView();

    async function answer() {
      isOpen = false;
      const found = await answerOf(one), made = found.options[chosen];
      const record = judge(one, found, made);
      choices.forEach(({ node, option }) => {
        node.setAttribute("aria-disabled", "true");
        if (option === found.best) node.classList.add("best");
      });
      outcome.className = "outcome " + (made.grade === RIGHT ? "good" : made.grade > RIGHT ? "bad" : "");
      outcome.replaceChildren(...verdict(one, found, chosen));
      after.replaceChildren(...explained(one, found, chosen, record));
      confirm.replaceWith(goOn);
      goOn.focus();
    }
    const goOn = button(_("Next"), next, "main");
  }

  async function answerOf(one) {
    return (await answers())[asked.positions.indexOf(one)];
  }

  // Takes an answer down, and says when the position comes again.
  function judge(one, found, made) {
    if (isKept) records = read();  // another window may have written
    const old = records[one.key], isRight = made.grade === RIGHT, isWrong = made.grade > RIGHT;
    if (!isRight) queue.push(one);
    if (failed.has(one.key) || (!isRight && !isWrong)) return isRight ? old : null;
    const record = records[one.key] = Object.assign({ box: 0, due: today, seen: 0, right: 0 }, old, { of: found.class });
    record.seen += 1;
    if (isWrong) {
      failed.add(one.key);
      Object.assign(record, { box: 0, due: today + 1 });
    } else {
      record.right += 1;
      if (record.due <= today) Object.assign(record, { box: Math.min(record.box + 1, DAYS.length - 1), due: today + DAYS[record.box] });
    }
    write();
    return isRight ? record : null;
  }

  function verdict(one, found, chosen) {
    const made = found.options[chosen], words = (option) => one.options[option].said;
    const text = made.grade === asked.unusual ? _("Unusual: strong players choose {chosen} in {share} of such positions, {best} in {best_share}.")
      : made.grade > RIGHT ? _("A mistake: {best} is better than {chosen}.")
      : made.grade !== RIGHT ? _("Not counted: strong players choose {chosen} in {share} of such positions, {best} in {best_share}.")
      : chosen === found.best ? _("Right: {best}, as strong players do in {best_share} of such positions.")
      : _("Right: strong players choose {chosen} in {share} of such positions, {best} in {best_share}.");
    const share = (option) => found.options[option].share;
    return optionWords(say(text, { best: words(found.best), chosen: words(chosen), share: share(chosen), best_share: share(found.best) }));
  }

  function explained(one, found, chosen, record) {
    const rows = found.order.map((option) => {
      const each = found.options[option];
      const marks = [option === found.best ? _("best") : "", each.grade > RIGHT && each.grade < asked.unusual ? _("a mistake") : "",
        option === chosen ? _("your choice") : "", option === found.played ? _("in the game") : ""];
      const cells = [each.shanten, each.accepted, each.deal_in, found.strong ? each.share : each.points, ...(found.deep ? [each.played] : [])];
      return make("tr", option === chosen ? "chosen" : "", make("th", "", ...optionWords(one.options[option].said),
        make("small", "", " " + marks.filter(Boolean).join(_(", ")))), ...cells.map((cell) => make("td", "", String(cell))));
    });
    const then = found.options[found.played].grade;
    const played = then === asked.unusual ? _("In the game: {option}, an unusual move.")
      : then > RIGHT ? _("In the game: {option}, a mistake.") : _("In the game: {option}, the best option.");
    const again = record ? say(_("This position comes again on {day}."), { day: day(record.due) }) : _("This position comes again in this sitting.");
    const heads = [_("option"), _("shanten"), _("tiles"), _("deal-in"), found.strong ? _("strong") : _("estimate"), ...(found.deep ? [_("played out")] : [])];
    const numbers = table(heads, rows);
    const made = found.options[chosen], wrong = made.grade > RIGHT ? chosen : found.wrong;
    const price = found.prices[found.options[wrong].grade];
    return [
      make("p", "", ...optionWords(made.why || found.why)),
      ...(price ? [make("p", "", ...optionWords(say(_("The mistake here, {option}: {price}."), { option: one.options[wrong].said, price })))] : []),
      make("p", "", ...optionWords(say(played, { option: one.options[found.played].said }))),
      numbers,
      ...(found.deep ? [make("p", "where", found.deep)] : []),
      make("p", "where", again),
    ];
  }

  overview();
}
