"""Make the sample logs: ``python bench/build_sample_logs.py [FOLDER]``.

Each game follows from a number alone: a Tenhou-style seed is made from it, the walls follow from the seed,
and the players of ``sample_players.py`` play them. So what is made is always the same.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from sample_players import Hand, padded

from paifu.parsers.mjlog_writer import write_mjlog
from paifu.parsers.tenhou import set_rules
from paifu.parsers.tenhou6_writer import write_tenhou6
from paifu.replay import settlement
from paifu.replay.batch import Batch
from paifu.replay.builder import BatchBuilder, GameDraft
from paifu.replay.rule_flags import from_tenhou_type
from paifu.replay.settlement import HandStart
from paifu.replay.wall import make_seed, parse_seed, walls

MOST_HANDS = 40
HANCHAN, TONPUU, SANMA = 0xA9, 0x01, 0xB9
"""Tenhou's types of game: east-south and east with four players, east-south with three."""


_NAMES = ("葵", "Botan", "チドリ", "dahlia 3")
_DAN, _RATES, _SEXES = (17, 16, 18, 16), (2143.57, 2051.80, 2210.06, 1998.24), ("F", "M", "F", "M")
_ABSENT = ("", 0, 1500.0, "C")
"""What Tenhou states of the seat that is missing with three players."""


def play_game(number: int, go_type: int) -> GameDraft:
    """Play one game from the seed made of ``number`` under the rules of Tenhou's ``go_type``."""
    choice = from_tenhou_type(go_type)
    rules = choice.ruleset()
    draft = GameDraft()
    set_rules(draft, choice)
    seed = make_seed(number)
    people = list(zip(_NAMES, _DAN, _RATES, _SEXES, strict=True))[: rules.players]
    names, dan, rates, sexes = zip(*people, *[_ABSENT] * (4 - rules.players), strict=True)
    draft.game |= {
        "format": "mjlog",
        "version": "2.3",
        "go_type": go_type,
        "lobby": "0",
        "players": rules.players,
        "first_dealer": 0,
        "names": names,
        "dan": bytes(dan),
        "rate": rates,
        "sex": sexes,
        "seed": seed,
    }
    scores = [rules.start_points] * rules.players
    start = HandStart(0, 0, 0, 0)
    for wall in walls(parse_seed(seed), MOST_HANDS, rules.players):
        end = Hand(rules, start, scores, wall, draft).play()
        if settlement.game_over(rules, start, end, scores):
            result = settlement.final_result(rules, scores, sticks=end.sticks)
            draft.game["final_scores"] = padded(result.scores)
            draft.game["final_points"] = [points / 1000 for points in padded(result.points)]
            return draft
        start = settlement.next_hand(rules, start, end)
    raise AssertionError(f"seed {number} makes a game of more than {MOST_HANDS} hands")


@dataclass(frozen=True, slots=True)
class Game:
    """A game by what it follows from: the number of its seed, and Tenhou's type of game."""

    number: int
    go_type: int

    def batch(self) -> Batch:
        """Play it."""
        builder = BatchBuilder()
        builder.add(play_game(self.number, self.go_type))
        return builder.finish()

    def mjlog(self) -> bytes:
        """As Tenhou's XML."""
        return write_mjlog(self.batch())

    def tenhou6(self) -> bytes:
        """As a line of tenhou.net/6 JSON."""
        return write_tenhou6(self.batch())


def contents() -> dict[str, bytes]:
    """Each file of the folder that is made here, and its bytes."""
    hanchan, sanma = Game(164, HANCHAN), Game(384, SANMA)
    return {
        "hanchan.mjlog.gz": gzip.compress(hanchan.mjlog(), mtime=0),
        "hanchan.json": hanchan.tenhou6(),
        "overtime.mjlog.gz": gzip.compress(Game(18, HANCHAN).mjlog(), mtime=0),
        "tonpuu.mjlog": Game(192, TONPUU).mjlog(),
        "kokushi.mjlog": Game(108, TONPUU).mjlog(),
        "sanma.mjlog.gz": gzip.compress(sanma.mjlog(), mtime=0),
        "sanma.json": sanma.tenhou6(),
        "five-games.jsonl": b"".join(Game(n, TONPUU).tenhou6() for n in (76, 100, 136, 338, 350)),
        "aborted-hands.zip": zipped(
            {
                "four-riichi.mjlog": Game(14, TONPUU).mjlog(),
                "four-winds.mjlog": Game(1, TONPUU).mjlog(),
                "nine-terminals.mjlog": Game(26, TONPUU).mjlog(),
                "three-ron.mjlog": Game(78, TONPUU).mjlog(),
            }
        ),
    }


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive that is the same whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def main(folder: Path) -> None:
    """Write all files into a folder."""
    for name, data in contents().items():
        (folder / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "sample_logs")
