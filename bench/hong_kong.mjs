// Reads hands as JSON lines, writes the greatest faan that the npm package hk-mahjong gives each: a number, or
// "limit". Run by hong_kong.py.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Tile, Meld, Hand, ExplorerOfWinningPermutations, FaanCalculator } = createRequire(
  process.argv[2] + "/package.json",
)("hk-mahjong");
const tile = ([suit, value]) => new Tile({ suit, value });

for await (const line of createInterface({ input: process.stdin })) {
  const { tiles, melds, config } = JSON.parse(line);
  const hand = new Hand({ tiles: tiles.map(tile), melds: melds.map((meld) => new Meld(meld.map(tile))) });
  const values = new ExplorerOfWinningPermutations(hand)
    .getWinningPermutations()
    .map((winning) => FaanCalculator.calculate(winning, config).value);
  const numbers = values.filter((value) => typeof value === "number");
  console.log(values.length > numbers.length ? "limit" : Math.max(...numbers, 0));
}
