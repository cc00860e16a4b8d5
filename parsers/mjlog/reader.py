"""Tenhou's own log format, mjlog XML: elements to events.

A log is a flat list of elements under one ``mjloggm`` root. A whole game in Tenhou's own spelling is read in
one pass over its bytes (:mod:`paifu.parsers.mjlog.one_pass`), which gives up without a word at anything that
it does not understand. Any other game (blanks, quotes, entities, comments, a cut, a fault) is read element by
element (:mod:`paifu.parsers.mjlog.by_element`), which says what is wrong. A test compares the two on every
real log.
"""

from __future__ import annotations

import re

from paifu.parsers.errors import ParseError
from paifu.parsers.mjlog.whole_game import OF_PLAYERS, Log
from paifu.parsers.sources.documents import Document
from paifu.replay.kernels.running import PYTHON, way
from paifu.replay.model.builder import BatchBuilder, GameDraft

_ROOT_END = b"</mjloggm>"
_OPENING = re.compile(rb'\s*<mjloggm ver="([^"<&]{0,20})">')


def read_mjlog(document: Document, text: bytes, builder: BatchBuilder) -> None:
    """Read all games of ``text`` (the plain bytes of ``document``) into ``builder``.

    What cannot be read becomes a fault of the builder; what comes before it is kept, and its game is
    marked as cut.
    """
    # Nearly every log is one game, which can be read without a search for the ends of others.
    only = text.removesuffix(_ROOT_END)
    if len(only) < len(text) and _is_read_fast(only, document.game_location(0, count=1), builder):
        return
    from paifu.parsers.mjlog.by_element import read_root

    roots = text.split(_ROOT_END)
    is_open = bool(roots[-1].strip())
    if not is_open:
        roots.pop()
    for index, root in enumerate(roots):
        location = document.game_location(index, count=len(roots))
        if is_open and index == len(roots) - 1:
            read_root(root, location, builder, is_open=True, is_told=document.cut)
        elif not _is_read_fast(root, location, builder):
            read_root(root, location, builder)


def _is_read_fast(root: bytes, location: str, builder: BatchBuilder) -> bool:
    """Add a whole game, if it can be read in one pass; return whether that was so."""
    draft = None if way() == PYTHON else _read_fast(root, location)
    if draft is not None:
        builder.add(draft)
    return draft is not None


def _read_fast(root: bytes, location: str) -> GameDraft | None:
    """Read a whole game in one pass; None, for any reason, when it has to be read element by element."""
    from paifu.parsers.mjlog.one_pass import read_rows  # imports a kernel

    opening = _OPENING.match(root)
    found = read_rows(root, opening.end()) if opening else None
    if opening is None or found is None:
        return None
    log = Log(location)
    head, log.draft.rows, owari = found
    if log.draft.rows.lacks_yaku or b"type" not in head:
        return None
    log.draft.game["version"] = opening[1].decode("utf-8", "replace")
    try:
        if b"seed" in head:
            log.take_seed(head)
        log.take_rules(head)
        if not head.keys().isdisjoint(OF_PLAYERS):
            log.take_players(head)
        if b"oya" in head:
            log.take_first_dealer({b"oya": [int(head[b"oya"])]}, {})
        if owari:
            log.take_final_result(owari)
        return log.finish(is_cut=False)
    except (ParseError, ValueError):
        return None
