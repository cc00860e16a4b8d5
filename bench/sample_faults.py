"""The broken sample logs: some of the others with one thing changed, each for the finding that says so."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Fault:
    """A change: what the pattern matches first becomes what ``new`` makes of it."""

    code: str
    source: str
    """The file, within the folder of samples, that is changed."""
    shows: str
    old: str
    """Pattern; empty where the log itself, read under Tenhou's rules, shows it."""
    new: str = ""

    @property
    def name(self) -> str:
        """Of the broken file."""
        return f"{self.code}{PurePath(self.source.removesuffix('.gz')).suffix}"

    def made_of(self, text: str) -> str:
        """Change the text of the source."""
        changed, number = re.subn(self.old, self.new, text, count=1, flags=re.DOTALL)
        if number != 1 or (changed == text) != (not self.old):
            raise ValueError(f"{self.name}: nothing to change in {self.source}")
        return changed


# fmt: off
FAULTS = (
    Fault("V101", "scenarios/pinfu.mjlog", "the file is cut off in the middle", r"(?<=<U47/>).*"),
    Fault("V102", "scenarios/pinfu.mjlog", "an element that Tenhou does not write", "<T", "<SURPRISE/><T"),
    Fault("V103", "scenarios/pinfu.mjlog", "a player draws a tile that has already been dealt", r'(hai0="(\d+),.*?)<T\d+/><D\d+/>', r"\1<T\2/><D\2/>"),
    Fault("V104", "scenarios/pinfu.mjlog", "a player is dealt twelve tiles", r'hai2="\d+,', 'hai2="'),
    Fault("V105", "scenarios/pinfu.mjlog", "a player draws tile 136; tiles are 0 to 135", r"<T\d+", "<T136"),
    Fault("V201", "scenarios/houtei.mjlog", "a draw and its discard are missing", r"<U\d+/><E\d+/>"),
    Fault("V202", "scenarios/pinfu.mjlog", "a player discards a tile that another player holds", r'(hai3="(\d+),.*?<D)\d+', r"\1\2"),
    Fault("V203", "formats/hanchan.json", "the drawn tile is discarded but not marked as tsumogiri", r"\[41,60", "[41,41"),
    Fault("V204", "scenarios/haku.mjlog", "a pon of another player's discard", 'm="48203"', 'm="48202"'),
    Fault("V205", "scenarios/open-kuikae.mjlog", "the called tile is discarded at once", "<E35/>", "<E10/>"),
    Fault("V206", "scenarios/riichi-kan.mjlog", "a closed kan of tiles that are not in the hand", r'<N who="1" m="\d+"', '<N who="1" m="30720"'),
    Fault("V207", "scenarios/pinfu.mjlog", "riichi with a hand that is not tenpai", r"(<T\d+/>)(<D\d+/>)", r'\1<REACH who="0" step="1"/>\2<REACH who="0" ten="240,250,250,250" step="2"/>'),
    Fault("V208", "scenarios/riichi.mjlog", "the riichi stick is paid but the score does not change", 'ten="250,240,250,250" step="2"', 'ten="250,250,250,250" step="2"'),
    Fault("V209", "scenarios/kan-dora-open.mjlog", "the kan's indicator is turned before the replacement draw", r"(<U\d+/>)(<DORA[^>]*>)", r"\2\1"),
    Fault("V210", "rulesets/saki.jsonl", "a fifth kan under rules that do not allow it", '"ruleset":"saki"', '"ruleset":"saki","overrides":{"abort_fifth_kan":false}'),
    Fault("V211", "scenarios/pinfu.mjlog", "a draw after the win", r"(<AGARI[^>]*>)(<INIT)", r"\1<T3/>\2"),
    Fault("V212", "scenarios/four-winds.mjlog", "four winds are recorded as four kans", "kaze4", "kan4"),
    Fault("V213", "scenarios/sanma-kita.mjlog", "a white dragon is set aside as kita", r'(<N who="1" m=")31264"', r'\g<1>31776"'),
    Fault("V214", "rulesets/saki.jsonl", "the called tile is discarded at once, and no foul is recorded", r'"ruleset":"saki"(.*?)"1 daiminkan \(2222m#3012\) from 0","1 draw 9m#3","dora 3p#3","1 discard 9m#3 tsumogiri"', r'"ruleset":"saki","overrides":{"kuikae":"forbidden","foul_kuikae":"dead_hand"}\1"1 pon (222m#301) from 0","1 discard 2m#2"'),
    Fault("V215", "rulesets/saki.jsonl", "a discard after a call is recorded as a foul of a player who has not called", '"3 discard 0p#0 tsumogiri",', '"3 discard 0p#0 tsumogiri","3 foul kuikae dead_hand",'),
    Fault("V216", "rulesets/saki.jsonl", "a player with a dead hand makes a kan", '"0 draw 2m#3",', '"0 draw 2m#3","1 foul other dead_hand",'),
    Fault("V301", "scenarios/pinfu.mjlog", "a ron on another tile than the one discarded", r'machi="\d+"', 'machi="47"'),
    Fault("V302", "rulesets/kwan-official.mjlog", "a win without a yaku, played under rules that have one for it", ""),
    Fault("V303", "scenarios/pinfu.mjlog", "the winner has discarded a winning tile", r"<U\d+/><E\d+/>", "<U88/><E88/>"),
    Fault("V304", "scenarios/pinfu.mjlog", "tanyao is listed in place of pinfu", 'yaku="7,', 'yaku="8,'),
    Fault("V305", "scenarios/pinfu.mjlog", "pinfu is listed with two han", 'yaku="7,1', 'yaku="7,2'),
    Fault("V306", "scenarios/haku.mjlog", "other fu", 'ten="30,', 'ten="20,'),
    Fault("V307", "scenarios/haku.mjlog", "other points", r'ten="30,1000', 'ten="30,2000'),
    Fault("V308", "scenarios/pinfu.mjlog", "the win lists another indicator than was turned", r'doraHai="\d+"', 'doraHai="3"'),
    Fault("V309", "scenarios/double-ron.mjlog", "the two winners in the wrong order", r"(<AGARI[^>]*>)(<AGARI[^>]*>)", r"\2\1"),
    Fault("V401", "scenarios/pinfu.mjlog", "the winner gains 10,000 points too many", r'(<AGARI[^>]*sc="\d+,\d+,\d+,)(\d+)', r"\g<1>1\2"),
    Fault("V402", "scenarios/double-ron.mjlog", "a win states two honba instead of one", '<AGARI ba="1,', '<AGARI ba="2,'),
    Fault("V403", "scenarios/double-ron.mjlog", "a win states no riichi stick instead of one", '<AGARI ba="1,1', '<AGARI ba="1,0'),
    Fault("V404", "scenarios/pao-daisangen-tsumo.mjlog", "another player is liable", r'paoWho="\d"', 'paoWho="0"'),
    Fault("V405", "scenarios/two-tenpai.mjlog", "a tenpai player gains 10,000 points too many", r'(<RYUUKYOKU[^>]*sc="\d+,)15', r"\g<1>115"),
    Fault("V406", "scenarios/two-tenpai.mjlog", "a tenpai player shows no tiles", r'(<RYUUKYOKU[^>]*?) hai2="[^"]*"', r"\1"),
    Fault("V407", "scenarios/nagashi.mjlog", "a nagashi mangan is ignored", '<RYUUKYOKU type="nm"', "<RYUUKYOKU"),
    Fault("V408", "systems/chinese-classical-games.jsonl.gz", "a loser's hand is said to count more than it does", r'("own_scores":\[(?:\d+,)*?)0(?=[,\]])', r"\g<1>4"),
    Fault("V501", "scenarios/pinfu.mjlog", "the second hand starts with other scores", r'(<INIT seed="1,[^>]*ten=")\d+', r"\g<1>300"),
    Fault("V502", "scenarios/pinfu.mjlog", "the second hand is East 3", '<INIT seed="1,', '<INIT seed="2,'),
    Fault("V503", "scenarios/pinfu.mjlog", "the second hand starts with a honba", '<INIT seed="1,0', '<INIT seed="1,1'),
    Fault("V504", "scenarios/pinfu.mjlog", "the second hand starts with a riichi stick on the table", '<INIT seed="1,0,0', '<INIT seed="1,0,1'),
    Fault("V505", "scenarios/end-last-hand.mjlog", "the last hand is missing", r'(<INIT seed="2,[^/]*/>.*?<AGARI[^>]*?) />.*?( owari="[^"]*" />)', r"\1\2"),
    Fault("V506", "scenarios/pinfu.mjlog", "other final points", r'(owari="-?\d+,)', r"\g<1>1"),
    Fault("V507", "scenarios/end-last-hand.mjlog", "the first hand is missing", r'(<INIT seed="0,[^/]*/>.*?)(<INIT seed="1)', r"\2"),
    Fault("V601", "formats/tonpuu.mjlog", "two players have swapped a tile of their starting hands", r'hai0="(\d+),(.*?)hai1="(\d+),', r'hai0="\3,\2hai1="\1,'),
    Fault("V602", "formats/tonpuu.mjlog", "two draws are swapped", r"<T(\d+)/><D\1/>(.{0,900}?)<U(\d+)/><E\3/>", r"<T\3/><D\3/>\2<U\1/><E\1/>"),
    Fault("V603", "formats/tonpuu.mjlog", "another dora indicator", r'(<INIT seed="0,0,0,\d,\d,)\d+', r"\g<1>38"),
    Fault("V604", "formats/tonpuu.mjlog", "other dice", r'(<INIT seed="0,0,0,)\d,\d', r"\g<1>0,0"),
    Fault("V605", "platforms/tonpuu-md5.json.gz", "two tiles of the dead wall are swapped", r'("paishan":"[^"]*?)(..)(..)(.{22}")', r"\1\3\2\4"),
    Fault("V606", "platforms/tonpuu-md5.json.gz", "the last tile of the wall is missing", r'("paishan":"[^"]*)[^"]{2}(?=")', r"\1"),
    Fault("V607", "scenarios/pinfu.mjlog", "the second hand is the first once more", r'(<INIT seed="\d+,\d+,\d+)([^/]*/>.*?)(<INIT seed="\d+,\d+,\d+).*(?=</mjloggm>)', r"\1\2\3\2"),
)
# fmt: on
"""One of each finding of family V, in order."""


def broken(made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Break copies of files that were made."""
    texts = {
        name: (gzip.decompress(data) if name.endswith(".gz") else data)
        for name, data in made.items()
        if name in {fault.source for fault in FAULTS}
    }
    return {fault.name: fault.made_of(texts[fault.source].decode()).encode() for fault in FAULTS}
