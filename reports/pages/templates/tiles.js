// Elements and pictures of tiles, for all scripts. All text comes into the page as text; nothing is parsed as HTML.
function make(tag, className, ...content) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...content.filter((part) => part !== null && part !== undefined));
  return node;
}

function tileNames(text) {
  const names = [];
  let digits = "";
  for (const char of text || "") {
    if (char === "?") names.push("??");
    else if (char >= "0" && char <= "9") digits += char;
    else { for (const digit of digits) names.push(digit + char); digits = ""; }
  }
  return names;
}

function tile(name, className) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className ? "tile " + className : "tile");
  svg.setAttribute("viewBox", "0 0 30 40");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", name === "??" ? _("hidden") : name);
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", "#" + (/^[0-9][mpszfgj]$/.test(name) ? "t-" + name : "t-back"));
  svg.append(use);
  return svg;
}

function tiles(text, className) {
  return tileNames(text).map((name) => tile(name, className));
}

function told(text) {  // tiles within a sentence: pictures on screen, names for screen readers and for copying
  const node = make("span", "told");
  for (const name of tileNames(text)) {
    const picture = tile(name);
    picture.setAttribute("aria-hidden", "true");
    node.append(picture, make("span", "unseen", name === "??" ? _("a hidden tile") : name));
  }
  return node;
}

function optionWords(text) {  // "riichi 5p": tiles as pictures
  return text.split(/\b([0-9]+[mpsz])\b/).map((part, index) => index % 2 ? told(part) : part);
}

const HONOURS = [_("East"), _("South"), _("West"), _("North"), _("white dragon"), _("green dragon"), _("red dragon")];
const SUITS = { m: _("{number} of characters"), p: _("{number} of dots"), s: _("{number} of bamboo") };

function tileSaid(name) {  // what a screen reader says
  const [number, suit] = name;
  if (suit === "z") return HONOURS[Number(number) - 1];
  return SUITS[suit] ? say(SUITS[suit], { number: number === "0" ? _("red 5") : number }) : name;
}

