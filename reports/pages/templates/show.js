(() => {
  "use strict";
  const page = JSON.parse(document.getElementById("data").textContent);
  const element = document.getElementById("stepper");
  const heading = document.getElementById("title");
  let number = 0;
  let stepper = null;
  let chart = null;
  let waiting = 0;
  const choice = document.getElementById("games");
  const course = document.getElementById("course");

  // "#E1.0", "#E1.0:17", and with several games on the page "#2/E1.0:17"
  function address(hand, event) {
    return "#" + (page.games.length > 1 ? (number + 1) + "/" : "") + hand + (event === null ? "" : ":" + event);
  }

  function remember(hand, event) {  // throttled: browsers refuse many address changes per second
    if (chart) chart.follow(hand, event);
    clearTimeout(waiting);
    waiting = setTimeout(() => history.replaceState(null, "", address(hand, event)), 150);
  }

  function open(game) {
    number = game;
    const data = page.games[game];
    if (stepper) stepper.close();
    if (chart) chart.close();
    chart = null;
    course.hidden = !data.luck || !data.luck.places.length;
    if (!course.hidden) chart = drawLuckChart(course, data, address);
    stepper = mountStepper(element, data, { seat: page.seat, open: page.open, keys: document, onMove: remember });
    choice.value = String(game);
    heading.textContent = document.title = data.title;
    document.getElementById("words").textContent = data.words.join(" \u00b7 ");
  }

  function follow() {
    const found = /^#(?:(\d+)\/)?([ESWN]\d+\.\d+)(?::(\d+))?$/.exec(location.hash);
    if (!found) return;
    const game = found[1] ? Number(found[1]) - 1 : number;
    if (game !== number && page.games[game]) open(game);
    stepper.show(found[2], found[3] === undefined ? null : Number(found[3]));
  }

  page.games.forEach((game, index) => {
    const option = document.createElement("option");
    option.value = String(index);
    option.textContent = (index + 1) + " \u00b7 " + game.title + " \u00b7 " + game.names.join(", ");
    choice.append(option);
  });
  choice.hidden = page.games.length < 2;
  choice.addEventListener("change", () => open(Number(choice.value)));
  course.open = page.open;
  open(0);
  follow();
  window.addEventListener("hashchange", follow);
})();
