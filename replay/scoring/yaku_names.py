"""What a yaku is called, in several sets of names, and which yaku a name means.

The table of yaku (:mod:`~paifu.replay.scoring.yaku`) names each in romaji, Japanese and plain English, and as
readers know it: from European rule books, American players, and three documents (a guide to Yakuza 2, Kwan's
article, the McGill club). A set without a name for a yaku uses the plain one.

Which set texts use is the matter of one environment variable, ``PAIFU_NAMES``, which workers inherit; without
it, names follow the language.
"""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from paifu.replay.language import _, language
from paifu.replay.rules.ruleset import Ruleset
from paifu.replay.scoring.yaku import YAKU, Yaku, yaku_of

VARIABLE = "PAIFU_NAMES"
DOCUMENT_SETS = ("european", "american", "yakuza2", "kwan", "mcgill")
NAME_SETS = ("romaji", "japanese", "english", *DOCUMENT_SETS)
"""The sets of names; in English, ``romaji`` is the default."""
_OF_LANGUAGE = {"ja": "japanese"}
"""Language -> the set that is its default."""


def all_names(yaku: Yaku) -> dict[str, str]:
    """Return a yaku's name in each set, by set; a document without one has the plain English."""
    known = {"romaji": yaku.romaji, "japanese": yaku.japanese, "english": yaku.english}
    given = dict(zip(DOCUMENT_SETS, yaku.names, strict=False))
    return known | {which: given.get(which) or yaku.english for which in DOCUMENT_SETS}


def chosen_set() -> str:
    """Return the set of names that texts use: that of ``PAIFU_NAMES``, or the language's own."""
    wanted = os.environ.get(VARIABLE, "")
    return wanted if wanted in NAME_SETS else _of_language()


def _of_language() -> str:
    return _OF_LANGUAGE.get(language(), NAME_SETS[0])


def yaku_name(number: int, rules: Ruleset | None) -> str:
    """Return what texts call a yaku under a ruleset, by id; ``yaku 99`` for one that is not in the table.

    Without a ruleset, its own yaku are not known.
    """
    return _name_in(number, rules, chosen_set())


def spoken_name(number: int, rules: Ruleset | None) -> str:
    """Return the name of a yaku in the language's own set, as messages have it whatever set is chosen."""
    return _name_in(number, rules, _of_language())


def _name_in(number: int, rules: Ruleset | None, chosen: str) -> str:
    yaku = (YAKU if rules is None else yaku_of(rules)).get(number)
    if yaku is None:
        return _("yaku {number}").format(number=number)
    return named(yaku, chosen)


def named(yaku: Yaku, chosen: str = "") -> str:
    """Return the name of a yaku in a set, or in the chosen one."""
    name = all_names(yaku)[chosen or chosen_set()]
    return _(name) if chosen == "japanese" and name == yaku.english and yaku.own is None else name


_CHARACTERS = str.maketrans(
    "场风东发门圈么搶枪连对對气氣贯带帶无國杠岭捞顺纯杯绿綠两莲灯寶单單头斷红",
    "場風東發門圏幺槍槍連対対気気貫帯帯無国槓嶺撈順純盃緑緑両蓮燈宝単単頭断紅",
)
"""Simplified, traditional and other forms of characters -> those in the names of yaku."""


def plain_name(text: str) -> str:
    """Return a name without case, accents, signs, spaces and other forms of characters."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_CHARACTERS))
    return "".join(letter for letter in letters if letter.isalnum())


def _names_of(yaku: Yaku) -> Iterable[str]:
    names = (*all_names(yaku).values(), *yaku.others, *yaku.spelt)
    return dict.fromkeys(map(plain_name, names))


def _searched(rules: Ruleset) -> dict[str, list[int]]:
    """Plain name -> ids of the yaku so called."""
    found: dict[str, list[int]] = {}
    for yaku in yaku_of(rules).values():
        for name in _names_of(yaku):
            found.setdefault(name, []).append(yaku.id)
    return found


@cache
def _known() -> Mapping[str, int]:
    """Plain name -> the one yaku so called; what it is first called by goes before what it is also called."""
    found: dict[str, set[int]] = {}
    for yaku in YAKU.values():
        for name in _names_of(yaku):
            found.setdefault(name, set()).add(yaku.id)
    own = {plain_name(name): yaku.id for yaku in YAKU.values() for name in (*yaku.spelt, yaku.japanese)}
    return MappingProxyType({name: min(ids) for name, ids in found.items() if len(ids) == 1} | own)


def yaku_by_name(name: str) -> int | None:
    """Return the id of the yaku that a log calls by a name in any set; None for none, or several."""
    return _known().get(plain_name(name))


def find_yaku(name: str, rules: Ruleset) -> tuple[Yaku, ...]:
    """Return the yaku of a name in any set; of several that share it, all; none if nobody calls one so.

    Case, accents, hyphens and spaces do not matter, and part of a name will do if no name is just that.
    """
    wanted, names = plain_name(name), _searched(rules)
    if not wanted:
        return ()
    numbers = names.get(wanted) or [i for known, ids in names.items() if wanted in known for i in ids]
    return tuple(yaku for yaku in yaku_of(rules).values() if yaku.id in numbers)


def near_names(name: str, rules: Ruleset) -> list[str]:
    """Return up to three names that are spelt like ``name``."""
    every = yaku_of(rules).values()
    written = {plain_name(known): known for yaku in every for known in reversed(all_names(yaku).values())}
    return [written[near] for near in difflib.get_close_matches(plain_name(name), written, n=3, cutoff=0.6)]
