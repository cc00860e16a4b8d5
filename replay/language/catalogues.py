"""Compile the catalogues of all languages: ``python -m paifu.replay.language.catalogues``.

The build of a wheel and an editable install do this by themselves. ``LANGUAGE/ROOM.po`` are the sources; all
rooms of a language become one ``LANGUAGE.mo``, which :mod:`paifu.replay.language` reads.
"""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent


def folders(within: Path = FOLDER) -> list[Path]:
    """Return the folder of each language."""
    return sorted({path.parent for path in within.glob("*/*.po")})


def is_translated(message: Message) -> bool:
    """Return whether a message has a translation in each of its numbers."""
    texts = message.string
    return all((texts,) if isinstance(texts, str) else texts or ("",))


class _Timeless(Catalog):
    """A catalogue whose file names no time and no program: equal texts are equal bytes."""

    @property  # type: ignore[misc]  # that of Babel may be set, too
    def mime_headers(self) -> list[tuple[str, str]]:
        """What readers need."""
        return [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", self.plural_forms)]


def compiled(folder: Path) -> bytes:
    """Return what is translated in the catalogues of a language."""
    whole = _Timeless(locale=folder.name)
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=folder.name):
                if message.id and is_translated(message):
                    whole.add(message.id, message.string, context=message.context)
    text = io.BytesIO()
    write_mo(text, whole)
    return text.getvalue()


def main() -> None:
    """Write the file of each language."""
    for folder in folders():
        staged = folder.with_suffix(".new")
        staged.write_bytes(compiled(folder))
        staged.replace(folder.with_suffix(".mo"))


if __name__ == "__main__":
    main()
