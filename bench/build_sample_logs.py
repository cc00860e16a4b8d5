"""Make the sample logs and their README: ``python bench/build_sample_logs.py [FOLDER]``.

What is made is always the same. ``formats/`` and ``games/`` are games that follow from a number alone: a
Tenhou-style seed is made from it, the walls follow from the seed, and simple players play them, for the first
those of ``sample_players.py``, for the second those of ``paifu simulate``. ``scenarios/`` and ``rulesets/``
are scripted, ``systems/`` are games other than riichi, ``broken/`` are some of these with one thing changed:
each a table in a module of that name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from sample_faults import FAULTS, broken
from sample_files import Recipes, packed, zipped
from sample_players import Hand, padded
from sample_report import report
from sample_rulesets import RULINGS
from sample_scenarios import SCENARIOS, Scenario
from sample_systems import described, systems
from sample_walls import ARENA, of_arena, state_walls
from tenhou_walls import Wall, walls
from tonpuusou_games import text as tonpuusou

from paifu.api.simulated import batch_of, draft_of
from paifu.coach.simulate.games import PLAYERS, Simulator
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.tenhou import set_rules
from paifu.parsers.tenhou6.writer import Tenhou6GameWriter
from paifu.parsers.writers import WRITERS
from paifu.replay.course import settlement
from paifu.replay.course.settlement import HandStart
from paifu.replay.model.batch import Batch
from paifu.replay.model.builder import BatchBuilder, GameDraft
from paifu.replay.model.events import EventKind
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.rulesets.log_rules import from_tenhou_type
from paifu.replay.rulesets.presets import load_preset, with_overrides
from paifu.replay.walls import majsoul
from paifu.replay.walls.tenhou import make_seed, parse_seed

_PAGE = Path(__file__).with_name("sample_logs_readme.md")
"""The README of the folder, with places for the tables."""
MOST_HANDS = 40
HANCHAN, TONPUU, SANMA = 0xA9, 0x01, 0xB9
"""Tenhou's types of game: east-south and east with four players, east-south with three."""


_NAMES = ("葵", "Botan", "チドリ", "dahlia 3")
_DAN, _RATES, _SEXES = (17, 16, 18, 16), (2143.57, 2051.80, 2210.06, 1998.24), ("F", "M", "F", "M")
_ABSENT = ("", 0, 1500.0, "C")
"""What Tenhou states of the seat that is missing with three players."""


def play_game(number: int, go_type: int, wall_of: Callable[[HandStart], Wall] | None = None) -> GameDraft:
    """Play one game from the seed made of ``number`` under the rules of Tenhou's ``go_type``.

    With ``wall_of`` the walls come from there, and the game has no seed of Tenhou's.
    """
    choice = from_tenhou_type(go_type)
    rules = choice.ruleset()
    draft = GameDraft()
    set_rules(draft, choice)
    seed = make_seed(number)
    supply = walls(parse_seed(seed), MOST_HANDS, rules.table.players)
    people = list(zip(_NAMES, _DAN, _RATES, _SEXES, strict=True))[: rules.table.players]
    names, dan, rates, sexes = zip(*people, *[_ABSENT] * (4 - rules.table.players), strict=True)
    draft.game |= {
        "format": "mjlog",
        "version": "2.3",
        "go_type": go_type,
        "lobby": "0",
        "players": rules.table.players,
        "first_dealer": 0,
        "names": names,
        "dan": bytes(dan),
        "rate": rates,
        "sex": sexes,
        "seed": "" if wall_of else seed,
    }
    scores = [rules.table.start_points] * rules.table.players
    start = HandStart(0, 0, 0, 0)
    winners: list[int] = []
    for of_seed in supply:
        wall = wall_of(start) if wall_of else of_seed
        end = Hand(rules, start, scores, wall, draft).play()
        winners.extend(end.winners)
        if settlement.endings(rules, start, end, scores)[0]:
            result = settlement.final_result(rules, scores, winners, sticks=end.sticks)
            draft.game["final_scores"] = padded(result.scores)
            draft.game["final_points"] = [points / 1000 for points in padded(result.points)]
            return draft
        start = settlement.next_hand(rules, start, end)
    raise AssertionError(f"seed {number} makes a game of more than {MOST_HANDS} hands")


def built(draft: GameDraft) -> Batch:
    """A batch of one game."""
    builder = BatchBuilder()
    builder.add(draft)
    return builder.finish()


@dataclass(frozen=True, slots=True)
class Game:
    """A game by what it follows from: the number of its seed, and Tenhou's type of game."""

    number: int
    go_type: int

    def batch(self) -> Batch:
        """Play it."""
        return built(play_game(self.number, self.go_type))

    def mjlog(self) -> bytes:
        """As Tenhou's XML."""
        return b"".join(MjlogGameWriter.games(self.batch()))

    def tenhou6(self) -> bytes:
        """As a line of tenhou.net/6 JSON."""
        return b"".join(Tenhou6GameWriter.games(self.batch()))


def formats() -> Recipes:
    """The same few games in each format and package."""
    hanchan, sanma = Game(164, HANCHAN), Game(384, SANMA)
    aborted = {
        "four-riichi.mjlog": Game(14, TONPUU),
        "four-winds.mjlog": Game(1, TONPUU),
        "nine-terminals.mjlog": Game(26, TONPUU),
        "three-ron.mjlog": Game(78, TONPUU),
    }
    return {
        "hanchan.mjlog.gz": lambda: packed(hanchan.mjlog()),
        "hanchan.json": hanchan.tenhou6,
        "overtime.mjlog.gz": lambda: packed(Game(18, HANCHAN).mjlog()),
        "tonpuu.mjlog": Game(192, TONPUU).mjlog,
        "kokushi.mjlog": Game(108, TONPUU).mjlog,
        "sanma.mjlog.gz": lambda: packed(sanma.mjlog()),
        "sanma.json": sanma.tenhou6,
        "five-games.jsonl": lambda: b"".join(Game(n, TONPUU).tenhou6() for n in (76, 100, 136, 338, 350)),
        "aborted-hands.zip": lambda: zipped({name: game.mjlog() for name, game in aborted.items()}),
    }


_KINDS = ("balanced", "wild", "caller", "tile-efficient", "defender", "wild", "balanced")
_ROOMS = (0x00, 0x80, 0x20, 0xA0)
"""Tenhou's bits for its four rooms."""
_FIRST_GAME = 1000
_ROUNDS = {"hanchan": 2, "tonpuu": 1}
_GAMES = (
    ("tenhou", "hanchan", 12),
    ("tenhou", "tonpuu", 8),
    ("tenhou-sanma", "hanchan", 8),
    ("tenhou-sanma", "tonpuu", 4),
)


def games() -> Recipes:
    """Ordinary games in all four rooms, by players that take turns at the seats."""
    made: Recipes = {}
    for preset, length, count in _GAMES:
        for number in range(count):
            name = f"{length}-{load_preset(preset).table.players}p-{number + 1:02d}.mjlog.gz"
            made[name] = partial(_simulated, preset, _ROUNDS[length], number, _FIRST_GAME + len(made))
    return made


def _rules(preset: str, rounds: int) -> Ruleset:
    return with_overrides(load_preset(preset), {"wind_rounds": rounds, "max_wind_rounds": rounds + 1})


def _simulated(preset: str, rounds: int, number: int, seed: int) -> bytes:
    rules = _rules(preset, rounds)
    kinds = [PLAYERS[_KINDS[(number + seat) % len(_KINDS)]] for seat in range(4)]
    draft = draft_of(Simulator(rules, kinds).game(seed), "")
    turned = [_NAMES[(number + seat) % rules.table.players] for seat in range(rules.table.players)]
    draft.game["names"] = [*turned, ""][:4]
    draft.game["go_type"] |= _ROOMS[number % len(_ROOMS)]
    return packed(b"".join(MjlogGameWriter.games(built(draft))))


_RECORDS = (
    ("majsoul", 2011, majsoul.MD5),
    ("majsoul", 2002, majsoul.SHA256),
    ("majsoul-sanma", 2003, majsoul.SHA256),
)
"""Preset, number and kind of published wall of each record of Mahjong Soul; of MD5 an east game."""


def platforms() -> Recipes:
    """Games as other programs and platforms write them, with the walls that these publish."""
    hanchan, sanma = Game(164, HANCHAN), Game(384, SANMA)
    return {
        "report.json.gz": lambda: packed(report(Game(192, TONPUU).batch(), 1)),
        "hanchan.mjson.gz": lambda: packed(written(hanchan.batch(), "mjai")),
        "sanma.mjson.gz": lambda: packed(written(sanma.batch(), "mjai")),
        "hanchan.majiang.json.gz": lambda: packed(written(hanchan.batch(), "majiang")),
        "arena.jsonl.gz": _arena,
        "tonpuu.mjscore.txt": lambda: tonpuusou(Game(192, TONPUU).batch(), names=_NAMES).encode("cp932"),
        **{
            _record_name(preset, kind): partial(_record, preset, number, kind)
            for preset, number, kind in _RECORDS
        },
    }


def _arena() -> bytes:
    arena = play_game(0, TONPUU, of_arena)
    arena.game["seed"] = f"mortal,{ARENA[0]},{ARENA[1]}"
    return packed(written(built(arena), "mjai-mortal"))


def _record_name(preset: str, kind: str) -> str:
    name = "tonpuu" if kind == majsoul.MD5 else preset.removeprefix("majsoul").removeprefix("-") or "hanchan"
    return f"{name}-{kind.removeprefix('majsoul-')}.json.gz"


def _record(preset: str, number: int, kind: str) -> bytes:
    rules = _rules(preset, 1 if kind == majsoul.MD5 else 2)
    players = [PLAYERS[one] for one in ("balanced", "wild", "caller", "tile-efficient")]
    draft = draft_of(Simulator(rules, players).game(number), "")
    state_walls(draft, kind)
    state_times(draft)
    return packed(written(built(draft), "majsoul-json"))


_SAME_RECORD = (EventKind.RIICHI, EventKind.RIICHI_PAID, EventKind.DORA)
"""Events that Mahjong Soul states with the one after them."""
_PAUSES = {EventKind.DRAW: 500, EventKind.WIN: 0}
_THINKING = 1200
"""Milliseconds for a move, and some more for every third and seventh."""


def state_times(draft: GameDraft) -> None:
    """Let every event of a game state when it happened."""
    now = 0
    for at, word in enumerate(draft.words):
        kind = EventKind(word & 31)
        now += _PAUSES.get(kind, _THINKING + 700 * (at % 3 == 0) + 2900 * (at % 7 == 0))
        draft.times[at] = now
    for at in reversed(range(len(draft.words) - 1)):
        if draft.words[at] & 31 in _SAME_RECORD:
            draft.times[at] = draft.times[at + 1]


def written(batch: Batch, target: str) -> bytes:
    """The games of a batch in a format that ``paifu convert`` writes."""
    return b"".join(WRITERS[target].games(batch))


def scenarios() -> Recipes:
    """Scripted games, each of which shows something."""
    return {f"{name}.mjlog": partial(_scene, scene) for name, scene in SCENARIOS.items()}


def _scene(scene: Scenario) -> bytes:
    return b"".join(MjlogGameWriter.games(batch_of([scene.play()])))


def rulesets() -> Recipes:
    """A scripted game under each preset."""
    return {one.file: one.log for one in RULINGS.values()}


def recipes() -> Recipes:
    """Each log that is made from nothing."""
    return {
        f"{folder.__name__}/{name}": make
        for folder in (formats, platforms, games, scenarios, rulesets, systems)
        for name, make in folder().items()
    }


def contents() -> dict[str, bytes]:
    """Each file that is made here, README included, and its bytes."""
    made = {name: make() for name, make in recipes().items()}
    made |= {f"broken/{name}": data for name, data in broken(made).items()}
    return made | {"README.md": page().encode()}


def page() -> str:
    """The README of the folder, with a line for each file."""
    return _PAGE.read_text("utf-8").format(
        games=sum(count for _, _, count in _GAMES),
        scenarios="\n".join(f"| `{name}.mjlog` | {one.shows} |" for name, one in SCENARIOS.items()),
        rulesets="\n".join(
            f"| `{one.file}` | {one.shows} | `{one.other}`: {one.code} |" for one in RULINGS.values()
        ),
        systems="\n".join(f"| `{name}` | {shows} |" for name, shows in described()),
        broken="\n".join(f"| `{fault.name}` | {fault.code} | {fault.shows} |" for fault in FAULTS),
    )


def main(folder: Path) -> None:
    """Write all files into a folder."""
    made = contents()
    for name, data in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    print(f"{folder}: {len(made)} files of {sum(map(len, made.values()))} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "sample_logs")
