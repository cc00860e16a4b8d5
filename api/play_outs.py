"""Decisions that a review found, played out on hidden hands as expected, and kept from run to run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson

from paifu.api.cache import cache_folder
from paifu.api.pipeline import SILENT, Watch
from paifu.coach.decisions import OptionKind
from paifu.coach.judgement.play_outs import PlayedOptions, options_to_play
from paifu.parsers.output_files import OutputError, make_folder, write_file
from paifu.replay.arrays import I64
from paifu.replay.course.dealer_wins import dealer_wins_before
from paifu.replay.findings.review_sentences import LossCase
from paifu.replay.kernels import codes
from paifu.replay.kernels.running import LIBRARIES
from paifu.replay.model.batch import Batch
from paifu.replay.model.events import EventKind
from paifu.replay.model.tiles import TILES
from paifu.replay.source_hash import source_hash
from paifu.replay.table.replayed import Replay
from paifu.reports.findings.review import JudgedFinding

if TYPE_CHECKING:
    from paifu.coach.judgement.choices import EventSeat, JudgedChoice
    from paifu.coach.simulate.playing_out import PlayOut
    from paifu.replay.rules.ruleset import Ruleset
    from paifu.replay.rulesets.presets import Given
    from paifu.reports.pages.report_hands import ShownHand

WALLS = 200
"""Walls that a decision is played out on."""
PLAYER = "strong"
"""The kind of player at all seats from the decision on."""
_FAMILIES = ("D1", "R1", "F101", "F102")
"""Findings by rule that are about the choice of a discard."""
_LEFT_OUT = (codes.EARLY_FOLD,)
"""Findings for which expected hands failed their test: they did not come out as on the true hands."""
_WITHOUT_TILE = (EventKind.RIICHI, EventKind.RIICHI_PAID, EventKind.LEAVE, EventKind.RETURN)
_VERSION = 3
"""Changes with what is kept, and with what it depends on beside the kernels and the model."""
_MOST_BYTES = 8 << 20
_MANY_RANDOM = 2**31 - 2
_MOST_POINTS = 10**8


@dataclass
class PlayOuts:
    """Plays the decisions of findings out; a copy for another process does not report progress."""

    watch: Watch = SILENT
    _players: dict[Ruleset, PlayOut | None] = field(default_factory=dict)
    _batch: Batch | None = None

    def __reduce__(self) -> tuple[type[PlayOuts], tuple[()]]:
        return PlayOuts, ()

    def played(self, replayed: Replay, found: Sequence[JudgedFinding]) -> list[JudgedFinding]:
        """Return findings with what came of their options, where they are about a choice that can be made.

        It changes nothing else: neither which findings there are, nor whether they are mistakes.
        """
        choices = filter(None, map(_choice_of, found))
        asked = {choice.place: choice for choice in choices}
        results: dict[EventSeat, PlayedOptions] = {}
        for number, (place, choice) in enumerate(asked.items(), 1):
            self.watch.playing_out(number, len(asked))
            played = self.options(replayed, choice)
            if played is not None:
                results[place] = played
        return [_with(one, results) for one in found]

    def options(self, replayed: Replay, choice: JudgedChoice) -> PlayedOptions | None:
        """Play the options of a decision out, or read what came of them; None where it cannot be followed."""
        weighed, wrong = choice.weighed, () if choice.drill is None else (choice.drill.wrong,)
        rows = options_to_play(weighed.chosen, weighed.best, weighed.shares, *wrong)
        batch, rules = replayed.batch, replayed.rulesets[choice.game]
        if choice.code in _LEFT_OUT or not _can_follow(replayed, choice, rules):
            return None
        moment = _digest(batch, rules, choice)
        options = [(int(weighed.option[row]), int(weighed.tile[row])) for row in rows]
        dealer_wins = dealer_wins_before(batch, choice.hand)
        key = [_VERSION, moment, dealer_wins, _engine(), WALLS, options]
        name = hashlib.sha256(orjson.dumps(key)).hexdigest()[:40]
        kept = Path(cache_folder("played-out")) / f"{name}.json"
        known = _read_kept(kept, (len(options), WALLS))
        if known is None:
            known = self._play(batch, rules, choice, options, moment)
            if known is not None:
                content = orjson.dumps({"version": _VERSION, "points": known.tolist()})
                with suppress(OutputError):  # it is only played out again next time
                    make_folder(kept.parent)
                    write_file(kept, content, through_links=False)
        usual = 0 if choice.verdict is None else choice.verdict.found
        return None if known is None else PlayedOptions(rows, known, weighed.best, usual)

    def positions(self, rules: Sequence[Given], hands: Sequence[ShownHand]) -> tuple[ShownHand, ...]:
        """Return positions of the trainer with what came of their options."""
        found = []
        for number, hand in enumerate(hands, 1):
            self.watch.playing_out(number, len(hands))
            found.append(hand.played_out(partial(self._of_game, rules)))
        return tuple(found)

    def _of_game(self, rules: Sequence[Given], batch: Batch, choice: JudgedChoice) -> PlayedOptions | None:
        from paifu.replay.table.engine import replay  # loads the compiler

        return self.options(replay(batch, *rules), choice)

    def _play(
        self,
        batch: Batch,
        rules: Ruleset,
        choice: JudgedChoice,
        options: list[tuple[int, int]],
        moment: str,
    ) -> I64 | None:
        """Return (options, walls) points; None where no hands can be expected."""
        from paifu.coach.belief.beliefs import believed
        from paifu.coach.simulate.games import PLAYERS
        from paifu.coach.simulate.playing_out import PlayOut

        if batch is not self._batch:
            self._batch, self._players = batch, {}
        if rules not in self._players:
            self._players[rules] = None
            with suppress(ValueError):  # nobody knows how strong players play such games
                self._players[rules] = PlayOut(batch, rules, PLAYERS[PLAYER])
        player = self._players[rules]
        if player is None:
            return None
        walls = walls_of(moment, WALLS)
        place = choice.hand, choice.event, choice.seat
        sight = player.sight(*place, options[0][0])
        deals = None if sight is None else believed(sight, len(walls), int(walls[0]), rules)
        points = None if deals is None else player.points(*place, options, walls, deals.tiles)
        return None if points is None else points[:, :, choice.seat] - player.before(choice.seat)


def walls_of(moment: str, number: int) -> I64:
    """Return the numbers of the walls of a decision, the same in each run; more of them begin as fewer do.

    >>> bool((walls_of("ab", 5)[:3] == walls_of("ab", 3)).all())
    True
    """
    random = np.random.default_rng(np.frombuffer(hashlib.sha256(moment.encode()).digest(), np.uint32))
    return random.integers(1, _MANY_RANDOM, number, dtype=np.int64)


def _choice_of(one: JudgedFinding) -> JudgedChoice | None:
    """Return the decision that a finding is about, if it is one whose options the model rates."""
    if one.choice is None or isinstance(one.case, LossCase):
        return one.choice
    weighed = one.choice.weighed
    is_discard = int(weighed.option[weighed.chosen]) <= OptionKind.RIICHI
    return one.choice if is_discard and one.code.startswith(_FAMILIES) else None


def _with(one: JudgedFinding, results: dict[EventSeat, PlayedOptions]) -> JudgedFinding:
    choice = one.choice
    if choice is None or choice.place not in results or _choice_of(one) is None:
        return one
    return replace(one, choice=replace(choice, weighed=replace(choice.weighed, played=results[choice.place])))


def _can_follow(replayed: Replay, choice: JudgedChoice, rules: Ruleset) -> bool:
    """Return whether all tiles are known, and everything before the decision went by the rules."""
    batch, findings = replayed.batch, replayed.findings
    if ((findings.hand == choice.hand) & (findings.event < choice.event)).any():
        return False
    moves = slice(int(batch.hands.event_begin[choice.hand]), choice.event + 1)
    known = (batch.events.tile[moves] < TILES) | np.isin(batch.events.kind[moves], _WITHOUT_TILE)
    dealt = batch.hands.dealt[choice.hand, : rules.table.players]
    return bool(known.all() and (dealt < TILES).all() and batch.hands.dora[choice.hand] < TILES)


def _digest(batch: Batch, rules: Ruleset, choice: JudgedChoice) -> str:
    """Return a digest of the hand up to a decision, hidden tiles included, whatever file it comes from."""
    hands, events, hand = batch.hands, batch.events, choice.hand
    digest = hashlib.sha256(f"{rules!r} {choice.seat}".encode())
    for name in ("round", "honba", "sticks", "dealer", "dice", "scores", "dealt", "dora"):
        digest.update(np.ascontiguousarray(getattr(hands, name)[hand]).tobytes())
    moves = slice(int(hands.event_begin[hand]), choice.event + 1)
    for name in ("kind", "seat", "source", "tile", "own", "flags"):
        digest.update(np.ascontiguousarray(getattr(events, name)[moves]).tobytes())
    return digest.hexdigest()


@cache
def _engine() -> list[str]:
    """Return hashes of what plays on: the kernels, the models, and the players."""
    from paifu.coach.simulate.games import PLAYERS

    return [LIBRARIES["coach"].sources(), source_hash(["coach/shipped"]), str(asdict(PLAYERS[PLAYER]))]


def _read_kept(path: Path, shape: tuple[int, int]) -> I64 | None:
    """Return kept points; None where nothing can be read."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        value = orjson.loads(path.read_bytes())
        points = np.array(value["points"]) if value["version"] == _VERSION else None
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    if points is None or points.shape != shape or points.dtype != np.int64:
        return None
    return points if (np.abs(points) < _MOST_POINTS).all() else None
