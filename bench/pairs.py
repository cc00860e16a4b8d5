"""Games through every pair of formats and back: ``python bench/pairs.py [GAMES]``.

Each of 240 simulated games (or GAMES) is written in one format, read, written in a second one, read, written
in the first one again, and read; for each of 42 ordered pairs of formats. What was read of the second format
is compared with the game, and what came back in the first one with what was read of it before, in all facts,
except those that a format must choose because it cannot do without, such as which of four equal tiles one is.
Prints what is different, and the counts.
"""

from __future__ import annotations

import sys
from collections import Counter
from itertools import permutations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from forged_records import simulated

from paifu.api.converting import completed
from paifu.parsers.conversion import CHOSEN, INFERRED, LOST, always, stated_rules
from paifu.parsers.errors import WriteError
from paifu.parsers.read import read_unit
from paifu.parsers.sources.documents import Document
from paifu.parsers.writers import WRITERS
from paifu.replay.comparison.comparing import compare_games
from paifu.replay.model.batch import Batch
from paifu.replay.rulesets.presets import ruleset_of

FORMATS = ("mjlog", "tenhou6", "mjai", "mjai-mortal", "majiang", "majsoul-json", "paifu")
_EACH = 20
"""Games after which the counts are printed."""
_PRESETS = ("tenhou", "majsoul", "tenhou-sanma")


def through(game: Batch, target: str) -> Batch:
    """Write a game in a format and read it again. Raises WriteError."""
    writer = WRITERS[target]
    text = b"".join(writer.games(completed(game, target)))
    return read_unit([Document("game", text, writer.format)])


def differences(game: Batch, result: Batch, targets: tuple[str, ...]) -> dict[str, int]:
    """Facts that are different after a way through formats, and in how many rows."""
    rules = ruleset_of(game, 0)
    stated = [stated for target in targets if (stated := stated_rules(target, rules)) is not None]
    quiet = {fact for target in targets for fact, due in LOST[target].items() if due is always}
    chosen = {fact for target in targets for fact in CHOSEN.get(target, ())}
    inferred = {fact for target in targets for fact in INFERRED.get(target, ())}
    found = compare_games(
        game,
        result,
        rules=frozenset.intersection(*stated) if stated else None,
        quiet=frozenset(quiet),
        unsaid_b=frozenset(inferred),
    )
    return {
        fact: counts.different
        for fact, counts in found.facts.items()
        if counts.different and fact not in chosen
    }


def main(games: int) -> None:
    """Print what is different, and the counts."""
    some = {name: simulated(name, -(-games // len(_PRESETS)), 500) for name in _PRESETS}
    counts: Counter[str] = Counter()
    for number in range(games):
        name = _PRESETS[number % len(_PRESETS)]
        game = some[name].take(number // len(_PRESETS))
        read: dict[str, Batch] = {}
        for one, other in permutations(FORMATS, 2):
            try:
                read[one] = read[one] if one in read else through(game, one)
                result = through(read[one], other)
                back = through(result, one)
            except WriteError as error:
                counts["refused"] += 1
                counts[f"refused: {str(error).partition(': ')[2][:80]}"] += 1
                continue
            for start, end, way in ((game, result, (one, other)), (read[one], back, (one, other, one))):
                found = differences(start, end, way) if len(end) == 1 else {"games": len(end)}
                counts["different" if found else "equal"] += 1
                if found:
                    print(f"{name} {game.games.source[0]} through {', '.join(way)}: {found}", flush=True)
        if (number + 1) % _EACH == 0 or number + 1 == games:
            print(f"{number + 1} games: {dict(counts)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 240)
