"""Keep the catalogues of translations up to date: ``python docs/translate.py [--check | --missing]``.

Collects every text that people read: those marked in the sources and templates (``_``, ``N_``, ``ngettext``,
``pgettext``), and those declared in tables (statistics, findings, yaku, the help of commands). Each catalogue
``replay/language/LANGUAGE/ROOM.po`` gets the texts of its room: new ones are added without a translation,
those that are gone are taken out. All rooms of a language are compiled, as building
paifu does it (:mod:`paifu.replay.language.catalogues`).
Prints what is not translated yet, which is shown in English; ``--missing`` lists all and changes nothing.
``--check`` changes nothing and ends with status 1 if a catalogue is not up to date.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from paifu.replay.language.catalogues import compiled, folders, is_translated

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ROOT / "replay" / "language"
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}

SOURCES = ("cli", "api", "reports", "coach", "replay", "parsers")
ROOMS = {
    "findings": ("replay/findings", "reports/findings", "reports/hands"),
    "scoring": ("replay/scoring", "replay/schemes", "replay/rules", "replay/general", "reports/scores"),
    "statistics": ("reports/metrics", "reports/statistics", "reports/figures", "reports/tables",
                   "reports/fairness", "coach/judgement"),
    "pages": ("reports/pages", "reports/league"),
    "commands": SOURCES,
}  # fmt: skip
"""Catalogue -> the folders whose texts it holds; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text to translate."""

    text: str
    plural: str | None = None
    context: str | None = None

    @property
    def message(self) -> str | tuple[str, str]:
        """The text as catalogues key it."""
        return self.text if self.plural is None else (self.text, self.plural)


def marked() -> Iterator[tuple[str, Text]]:
    """Yield the file and the text of everything marked in sources and templates."""
    paths = (path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*")))
    for name in (path.relative_to(ROOT).as_posix() for path in paths):
        method = {"py": "python", "html": "jinja2.ext:babel_extract", "js": "javascript"}.get(
            name.rpartition(".")[2]
        )
        if method is None:
            continue
        options = {"trimmed": "true"} if name.endswith("html") else {}
        extracted = extract_from_file(method, ROOT / name, KEYWORDS, (), options)
        for _line, message, _comments, context in extracted:
            texts = (message,) if isinstance(message, str) else message
            yield name, Text(texts[0], texts[1] if len(texts) > 1 else None, context)


def _findings() -> Iterator[str | Text]:
    """Yield what the tables of findings say."""
    from paifu.replay.findings import finding, finding_sentences, review_kinds, review_sentences, spoken
    from paifu.replay.views.labels import ROUNDS
    from paifu.replay.views.verdicts import VERBS

    yield from ROUNDS
    yield from spoken.FAMILIES.values()
    yield from finding.Severity
    for kind in spoken.KINDS.values():
        yield from (kind.meaning, kind.why, kind.silent, kind.others, kind.basis, kind.advice)
        yield kind.example if kind.words else ""  # readers of files say the others
        for words in (kind.words, kind.words_of_others):  # those that are chosen between are marked
            each = words.values() if isinstance(words, Mapping) else [words]
            yield from (one for one in each if isinstance(one, str))
    yield from review_kinds.TITLES.values()
    yield from review_sentences.DANGER_NAMES.values()
    yield from review_sentences.THREAT_NAMES.values()
    for word in (*VERBS.values(), *review_sentences.OPTIONS):
        yield Text(word, context="option")
    for context, word in finding_sentences.declared():
        yield Text(word, context=context or None)


def _scoring() -> Iterator[str | Text]:
    """Yield what rules mean, and what yaku, fu and patterns are called and ask for."""
    from paifu.replay.model.tiles import WINDS
    from paifu.replay.rules.choices import Scheme
    from paifu.replay.rules.ruleset import FIELDS, SECTIONS
    from paifu.replay.rulesets.presets import load_preset, preset_names
    from paifu.replay.schemes import scheme
    from paifu.replay.schemes.readings import SET_NAMES
    from paifu.replay.schemes.tables import table
    from paifu.replay.scoring import readings, score, winning_hand
    from paifu.replay.scoring.yaku import YAKU

    yield from SECTIONS.values()
    yield from (field.doc for field in FIELDS.values())
    yield from (load_preset(name).summary for name in preset_names())
    yield from (yaku.meaning for yaku in YAKU.values())
    yield from (yaku.english for yaku in YAKU.values() if yaku.japanese == yaku.english)
    for reason in score.declared():
        yield Text(reason, context="fu")
    for need in winning_hand.declared():
        yield Text(need, context="situation")
    for wait in readings.Wait:
        yield Text(wait.name.lower(), context="wait")
    for wind in (*WINDS, "bettor"):
        yield Text(wind, context="wind")
    for name in SET_NAMES:
        yield Text(name, context="set")
    yield from scheme.declared()
    for pattern in chain.from_iterable(table(each).values() for each in Scheme):
        yield pattern.meaning
        if not pattern.native:
            yield pattern.name


def _statistics() -> Iterator[str | Text]:
    """Yield what the catalogue of statistics says, and what groups are called."""
    from paifu.reports.fairness.catalogue import CHECKS, REPEATS
    from paifu.reports.figures.catalogue import LABELS
    from paifu.reports.metrics.budget import BUDGET_PARTS
    from paifu.reports.metrics.catalogue import CATALOGUE, families
    from paifu.reports.metrics.counters import FIELDS, IN_A_ROW, SEATS
    from paifu.reports.metrics.rooms import LENGTHS, ROOMS

    for family in families():
        yield family.title
    for metric in CATALOGUE.values():
        yield from (metric.definition, metric.numerator, metric.denominator)
        yield Text(metric.title, context="title")
        yield Text(metric.unit, context="unit")
        yield Text(metric.heading, context="heading")
    yield SEATS[0]
    in_context = {
        "budget": BUDGET_PARTS.values(),
        "figure": LABELS,
        "by": (*FIELDS, IN_A_ROW),
        "room": ROOMS,
        "length": LENGTHS,
    }
    for context, texts in in_context.items():
        yield from (Text(text, context=context) for text in texts)
    for check in (*CHECKS, REPEATS):
        yield from (check.question, check.bias)


def _pages() -> Iterator[str | Text]:
    """Yield what pages make of titles that stand elsewhere."""
    from paifu.replay.scoring.limits import Limit
    from paifu.reports.league.tables import HEADS
    from paifu.reports.pages.report_sections import HEADS as COLUMNS
    from paifu.reports.pages.report_sections import LISTS, SECTIONS

    yield from (limit.name.lower() for limit in Limit)
    yield from (Text(head, context="heading") for head in COLUMNS.values())
    yield from (section.short for section in SECTIONS)
    for one in LISTS:
        yield one.of_all
    yield from (Text(head, context="standings") for head in HEADS)
    yield from (Text(text, context="label") for text in ("{wind}{number}.{honba}", *"ESWN"))


def _of_commands() -> Iterator[str | Text]:
    """Yield the help of all commands, and what is counted in sentences."""
    from click import Context, Group

    from paifu.api.score_options import OPTIONS
    from paifu.cli.__main__ import cli
    from paifu.cli.help import texts
    from paifu.coach.judgement.mistakes import KINDS
    from paifu.replay.findings.review_sentences import DANGER_NAMES
    from paifu.replay.review.results import Threat
    from paifu.reports.fairness.catalogue import CHECKS, REPEATS
    from paifu.reports.statistics.danger import ALL, HANDS, TURNS
    from paifu.reports.tables.making import RESULTS
    from paifu.reports.terminal.game_lines import COLUMNS
    from paifu.reports.wording import COUNTED, counted

    groups: list[Group] = [cli]
    for group in groups:
        yield from texts(group)
        for name in group.list_commands(Context(group)):
            command = group.get_command(Context(group), name)
            assert command is not None
            if isinstance(command, Group):
                groups.append(command)
            else:
                yield from texts(command)
    for noun in COUNTED:
        yield Text(*counted(noun))
    yield from (option.needs for option in OPTIONS)
    yield from (threat.name.lower() for threat in Threat)
    yield from (*DANGER_NAMES.values(), *TURNS, ALL, *HANDS, *KINDS, *RESULTS.values())
    yield from (check.bias for check in (*CHECKS, REPEATS))
    for head, *_layout in COLUMNS:
        yield Text(head, context="result")
    for file in ("ruleset", "season", "card", "settings", "aliases", "sheet of results"):
        yield Text(file, context="file")
    yield from ("chi", "pon", "minkan", "ankan", "kakan", "kita")


DECLARED: dict[str, Callable[[], Iterator[str | Text]]] = {
    "findings": _findings,
    "scoring": _scoring,
    "statistics": _statistics,
    "pages": _pages,
    "commands": _of_commands,
}
"""Room -> what its tables declare."""


def rooms() -> dict[str, dict[Text, None]]:
    """Return the texts of each room, each text in one room."""
    found: dict[str, dict[Text, None]] = {room: {} for room in ROOMS}
    for name, text in marked():
        room = next(room for room, folders in ROOMS.items() if name.startswith(folders))
        found[room][text] = None
    for room, declared in DECLARED.items():
        texts = (text if isinstance(text, Text) else Text(str(text)) for text in declared())
        found[room] |= {text: None for text in texts if text.text}
    seen: set[Text] = set()
    for room, texts in found.items():
        found[room] = {text: None for text in texts if text not in seen}
        seen |= texts.keys()
    return found


def updated(path: Path, texts: dict[Text, None], others: Sequence[Catalog] = ()) -> Catalog:
    """Return a catalogue of these texts with the translations that ``path`` has, or one of ``others``."""
    known = [_catalogue(path), *others]
    new = Catalog(locale=path.parent.name, fuzzy=False)
    for text in sorted(texts, key=lambda text: (text.text, text.context or "")):
        found = (catalogue.get(text.text, text.context) for catalogue in known)
        fitting = (old for old in found if old and isinstance(old.id, tuple) == (text.plural is not None))
        old = next(fitting, None)
        new.add(text.message, old.string if old else None, context=text.context)
    return new


def _catalogue(path: Path) -> Catalog:
    if not path.exists():
        return Catalog(locale=path.parent.name)
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.name)


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as its file."""
    file = io.BytesIO()
    write_po(file, catalogue, width=0, omit_header=True)
    header = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    plural = f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'.encode()
    return header + plural + file.getvalue()


def untranslated(catalogue: Catalog) -> list[str]:
    """Return the texts that have no translation."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not is_translated(message)
    ]


def main() -> int:
    """Update the catalogues of all languages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--missing", action="store_true", help="list all texts without a translation")
    options = parser.parse_args()
    check = options.check or options.missing
    texts_of = rooms()
    stale: list[Path] = []

    def put(path: Path, data: bytes) -> None:
        if not path.exists() or path.read_bytes() != data:
            stale.append(path)
            if not check:
                path.write_bytes(data)

    for folder in folders(LANGUAGES):
        before = [_catalogue(path) for path in sorted(folder.glob("*.po"))]
        for room, texts in texts_of.items():
            path = folder / f"{room}.po"
            catalogue = updated(path, texts, before)
            left = untranslated(catalogue)
            print(f"{path.relative_to(ROOT)}: {len(texts):,} texts, {len(left):,} not translated")
            for text in left if options.missing else left[:5]:
                print(f"    {text[:90]!r}")
            put(path, written(catalogue))
        put(folder.with_suffix(".mo"), compiled(folder))
    for path in [] if options.missing else stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
