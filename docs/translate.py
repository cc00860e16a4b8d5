"""Keep the catalogues of translations up to date: ``python docs/translate.py [--check]``.

Collects every text that people read: those marked in the sources and templates (``_``, ``N_``, ``ngettext``,
``pgettext``), and those declared in tables (statistics, findings, yaku, the help of commands). Each catalogue
``replay/language/LANGUAGE/ROOM.po`` gets the texts of its room: new ones are added without a translation,
those that are gone are taken out. All rooms of a language are compiled into ``replay/language/LANGUAGE.mo``.
Prints what is not translated yet; ``--check`` changes nothing and ends with status 1 if anything is to do.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ROOT / "replay" / "language"
KEYWORDS = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}

SOURCES = ("cli", "api", "reports", "replay", "parsers")
ROOMS = {
    "findings": ("replay/findings", "replay/review", "reports/findings", "reports/hands"),
    "scoring": ("replay/scoring", "replay/schemes", "replay/rules", "replay/general", "reports/scores"),
    "statistics": ("reports/metrics", "reports/statistics", "reports/figures", "reports/tables",
                   "reports/fairness", "reports/judgement"),
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
        method = {"py": "python", "html": "jinja2.ext:babel_extract"}.get(name.rpartition(".")[2])
        if method is None:
            continue
        options = {"trimmed": "true"} if name.endswith("html") else {}
        extracted = extract_from_file(method, ROOT / name, KEYWORDS, (), options)
        for _line, message, _comments, context in extracted:
            texts = (message,) if isinstance(message, str) else message
            yield name, Text(texts[0], texts[1] if len(texts) > 1 else None, context)


DECLARED: dict[str, Callable[[], Iterator[str]]] = {}
"""Room -> what its tables declare."""


def rooms() -> dict[str, dict[Text, None]]:
    """Return the texts of each room, each text in one room."""
    found: dict[str, dict[Text, None]] = {room: {} for room in ROOMS}
    for name, text in marked():
        room = next(room for room, folders in ROOMS.items() if name.startswith(folders))
        found[room][text] = None
    for room, declared in DECLARED.items():
        found[room] |= {Text(text): None for text in declared() if text}
    seen: set[Text] = set()
    for room, texts in found.items():
        found[room] = {text: None for text in texts if text not in seen}
        seen |= texts.keys()
    return found


def updated(path: Path, texts: dict[Text, None]) -> Catalog:
    """Return a catalogue of these texts with the translations that ``path`` has."""
    catalogue = _catalogue(path)
    new = Catalog(locale=path.parent.name, fuzzy=False)
    for text in sorted(texts, key=lambda text: (text.text, text.context or "")):
        old = catalogue.get(text.text, text.context)
        fits = old is not None and isinstance(old.id, tuple) == (text.plural is not None)
        new.add(text.message, old.string if old is not None and fits else None, context=text.context)
    return new


def _catalogue(path: Path) -> Catalog:
    if not path.exists():
        return Catalog(locale=path.parent.name)
    with path.open("rb") as file:
        return read_po(file)


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
        if message.id
        and not (message.string if isinstance(message.string, str) else all(message.string or ()))
    ]


def said(compiled: bytes) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return what a compiled catalogue says, without its header, which names the tool's version and the time."""
    return {
        (message.context or "", *_listed(message.id)): _listed(message.string)
        for message in read_mo(io.BytesIO(compiled))
        if message.id
    }


def _listed(texts: str | Iterable[str] | None) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


def main() -> int:
    """Update the catalogues of all languages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    texts_of = rooms()
    stale: list[Path] = []
    missing = 0

    def put(path: Path, data: bytes) -> None:
        if not path.exists() or path.read_bytes() != data:
            stale.append(path)
            if not check:
                path.write_bytes(data)

    for folder in sorted(
        path for path in LANGUAGES.iterdir() if path.is_dir() and path.name != "__pycache__"
    ):
        whole = Catalog(locale=folder.name)
        for room, texts in texts_of.items():
            path = folder / f"{room}.po"
            catalogue = updated(path, texts)
            left = untranslated(catalogue)
            missing += len(left)
            print(f"{path.relative_to(ROOT)}: {len(texts):,} texts, {len(left):,} not translated")
            for text in left[:5]:
                print(f"    {text[:90]!r}")
            put(path, written(catalogue))
            for message in catalogue:
                if message.id and message.string:
                    whole.add(message.id, message.string, context=message.context)
        path = folder.with_suffix(".mo")
        file = io.BytesIO()
        write_mo(file, whole)
        if not path.exists() or said(path.read_bytes()) != said(file.getvalue()):
            put(path, file.getvalue())
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT)}")
    return int(check and bool(stale or missing))


if __name__ == "__main__":
    sys.exit(main())
