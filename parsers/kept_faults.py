"""Faults of a game that is read on nevertheless."""

from __future__ import annotations

from typing import Any

from paifu.parsers.errors import MAX_UNKNOWN, SKIPPED, ParseError
from paifu.parsers.json_values import MAX_TEXT, shown
from paifu.replay.model.builder import GameDraft
from paifu.replay.model.events import HandEnd

HAND_ENDS = "the hand was read up to there, without a result, and the next one was read"


class KeptFaults(list[ParseError]):
    """What could not be read of one game, in the order in which it came up."""

    def __init__(self) -> None:
        self._unknown: set[str] = set()

    def note(self, error: ParseError) -> None:
        """Keep a fault after which the game is read on."""
        error.hint = error.hint or SKIPPED
        self.append(error)

    def note_hand(self, error: ParseError, draft: GameDraft, begun: int) -> None:
        """Keep a fault in a hand, which is left without a result; the next one is read.

        ``begun`` hands were there before. A fault in the beginning of a hand is raised again: what follows
        hangs in the air.
        """
        if len(draft.hands) == begun:
            raise error
        number = len(draft.hands) - 1
        for rows in (draft.wins, draft.hand_draws):
            while rows and rows[-1]["hand"] == number:
                draft.words[rows.pop()["event"]] = 0
        draft.hands[-1]["end"] = HandEnd.UNFINISHED
        error.hint = error.hint or HAND_ENDS
        self.append(error)

    def note_unknown(self, what: str, word: Any, place: str = "") -> None:
        """Keep one fault for each word that is not known, ``MAX_UNKNOWN`` at most."""
        text = str(word)[:MAX_TEXT]
        if text not in self._unknown and len(self._unknown) < MAX_UNKNOWN:
            self._unknown.add(text)
            self.note(ParseError(f"unknown {what} {shown(text)}", place=place, code="V102"))
