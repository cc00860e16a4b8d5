"""For each ruleset a scripted game in which one of its rules decides something: another ruleset objects."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from sample_scenarios import cheap, finished, one

from paifu.api.simulated import batch_of, go_type
from paifu.coach.simulate.games import PlayedGame
from paifu.parsers.mjlog.writer import MjlogGameWriter
from paifu.parsers.paifu_log.writer import PaifuGameWriter
from paifu.replay.rulesets.presets import load_preset

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from scripted import Script


@dataclass(frozen=True, slots=True)
class Ruling:
    """A game under a preset, and what another preset finds in it."""

    preset: str
    shows: str
    scripts: tuple[Script, ...]
    other: str
    code: str
    """One of the findings there."""

    @property
    def file(self) -> str:
        """The name of its log: in Tenhou's format where that can say the red fives."""
        try:
            go_type(load_preset(self.preset))
        except ValueError:
            return f"{self.preset}.jsonl"
        return f"{self.preset}.mjlog"

    def log(self) -> bytes:
        """Play it and write the log."""
        if self.file.endswith(".mjlog"):
            return b"".join(MjlogGameWriter.games(batch_of([self.play()])))
        return b"".join(PaifuGameWriter.games(batch_of([self.play()], "paifu")))

    def play(self) -> PlayedGame:
        """Play it under its own ruleset."""
        return finished(load_preset(self.preset), self.scripts)


_PLAIN = "123m456p678s55z34s"

_FED_DRAGONS = one(
    "5z pon1 >1s . . 6z pon1 >9s . . 7z pon1 >8s . . . 9p>tsumo", seat1="55z66z77z9p123m189s", dora="1z"
)

# fmt: off
_ROWS = (
    Ruling("tenhou", "three rons on one discard abort the hand", (one("9m ron1,2,3", seat1="78m123p456s777z33z", seat2="78m123p456s666z44z", seat3="78m789p456p555z22s"),), "majsoul", "V212"),
    Ruling("tenhou-sanma", "riichi with three tiles left in the wall; four concealed triplets won on the pair are one yakuman", (one(".51 9s>r9s . 2s ron0", seat0="123456p678s55z34s"), one(". 3z ron0", seat0="111999m444p888s3z")), "majsoul-sanma", "V307"),
    Ruling("majsoul", "four concealed triplets won on the pair are a double yakuman, and three players may ron one discard", (one("9m ron1,2,3", seat1="78m123p456s777z33z", seat2="78m123p456s666z44z", seat3="78m789p456p555z22s"), one(". 3z ron0", seat0="222m444666p888s3z")), "tenhou", "V307"),
    Ruling("majsoul-sanma", "thirteen orphans rob a closed kan", (one("9s 1m>k1m ron2", seat1="111m", seat2="9m19p19s12345677z"),), "tenhou-sanma", "V301"),
    Ruling("riichi-city", "a tsumo on an open kan's replacement tile is paid by the player who fed the kan", (one("9m kan1 2s>tsumo", seat1="999m123p666z55z34s", dora="1z 8m"),), "majsoul", "V404"),
    Ruling("riichi-city-sanma", "four concealed triplets won on the pair are a double yakuman", (one(". 3z ron0", seat0="111999m444p888s3z"),), "tenhou-sanma", "V307"),
    Ruling("mleague", "4 han 30 fu count as mangan", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s", ura="1z"),), "tenhou", "V307"),
    Ruling("wrc", "13 han without a yakuman are a sanbaiman, not a counted yakuman", (one(".5 9p>r9p 2m ron1", seat1="12345678934m11m", dora="1m", ura="1z"),), "tenhou", "V307"),
    Ruling("ema", "a double ron: each winner is paid the honba and gets back their own stick", (one("end"), one(".4 9s>r9s 9s>r9s . 9m ron1,2", seat1="78m123p456s777z33z", seat2="78m456p456s555z22s")), "wrc", "V309"),
    Ruling("ema-2025", "4 han 30 fu count as mangan", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s", ura="1z"),), "ema", "V307"),
    Ruling("wrc-2025", "13 han without a yakuman are a counted yakuman", (one(".5 9p>r9p 2m ron1", seat1="12345678934m11m", dora="1m", ura="1z"),), "wrc", "V307"),
    Ruling("saikouisen", "nobody is liable for the third dragon meld", (_FED_DRAGONS,), "jpml-b", "V404"),
    Ruling("saikouisen-classic", "a draw without noten payments, and a tenpai dealer who does not stay", (one("end", seat0=_PLAIN),), "saikouisen", "V405"),
    Ruling("npm", "25,000 to 30,000 with oka", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s", ura="1z"),), "rmu-a", "V506"),
    Ruling("rmu-a", "nobody is liable for the third dragon meld", (_FED_DRAGONS,), "wrc", "V404"),
    Ruling("rmu-b", "riichi without ippatsu and ura dora", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s"),), "rmu-a", "V304"),
    Ruling("rmu-m", "three red fives, and 25,000 points at the start", (one("9m ron1", seat1="78m04p456s777z33p6p"),), "rmu-a", "V103"),
    Ruling("mu-cup", "a win after a draw is paid no honba", (one("end"), one("9m ron2", seat2="78m123p456s777z33z")), "jpml-a", "V401"),
    Ruling("101", "the result is the place alone", (cheap(0),), "jpml-a", "V506"),
    Ruling("az-riichi", "red fives under the World Riichi Championship's rules", (one("9m ron1", seat1="78m04p456s777z33p6p"),), "wrc-2025", "V103"),
    Ruling("queen-city", "4 han 30 fu count as mangan on top of Mahjong Soul's rules", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s", ura="1z"),), "majsoul", "V307"),
    Ruling("toronto", "a nagashi mangan counts as a win", (one("end:1"),), "tenhou", "V503"),
    Ruling("jpml-a", "riichi without ippatsu and ura dora, and uma by how many are below 30,000", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s"),), "wrc", "V304"),
    Ruling("jpml-b", "4 han 30 fu count as mangan; ippatsu counts", (one(".5 9p>r9p 2s ron1", seat1="123m456p678s99p34s", dora="7s", ura="1z"),), "jpml-a", "V304"),
    Ruling("yakuza2", "the pairs 2 to 8 of dots are a yakuman", (one(". . 5p ron1", seat1="2233445667788p"),), "wrc", "V304"),
    Ruling("saki", "a fifth kan, after four by one player, ends the hand", (one("2m kan1 9m . . 4p kan1 9m . . 8s kan1 9m . . 6p kan1 9m 1z>k1z abort", seat1="222m444666p888s5z", seat2="111z"),), "tenhou", "V210"),
    Ruling("riichi-encyclopedia", "no overtime: the game ends after South 4 although nobody has 30,000", tuple(map(cheap, (0, 1, 2, 3) * 2)), "tenhou", "V505"),
    Ruling("kwan-official", "a ron before one's first draw (renhou) is a mangan without any other yaku", (one(". 2s ron3", seat3=_PLAIN, dora="1z"),), "tenhou", "V302"),
    Ruling("kwan-house", "identical and consecutive groups: three and four identical sequences, three and four consecutive triplets; a ron on the discard after a kan", (
        one("3m chi1:12m >9p . . 4s ron1", seat1="12112233m35s55z9p", dora="3z"),
        one("9p kan3 2s ron1", seat1="123m456p777z66s34s", seat3="999p2s", dora="3z 3z"),
        one(". 3m ron1", seat1="11112222333m55z", dora="3z"),
        one(". . 2s ron1", seat1="222m333m444m34s55z", dora="3z"),
        one(". . 4s ron1", seat1="222333555s44s11z", dora="3z"),
    ), "kwan-official", "V304"),
    Ruling("mcgill-riichi", "a tsumo on an open kan's replacement tile is paid by the player who fed the kan", (one("9m kan1 2s>tsumo", seat1="999m123p666z55z34s", dora="1z 8m"),), "tenhou", "V404"),
)
# fmt: on

RULINGS = MappingProxyType({ruling.preset: ruling for ruling in _ROWS})
"""Every preset's game by the preset's name."""
