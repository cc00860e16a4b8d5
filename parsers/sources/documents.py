"""The unit that parsers read: a :class:`Document`, the bytes of one or several whole games.

Sources hand out small inputs as they lie there, still compressed, so that the process which reads the disk
does little and the workers do the rest: :func:`open_document` gives the plain bytes, within
:class:`InputLimits`.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

from isal import isal_zlib

from paifu.parsers.errors import InputFault, too_big
from paifu.parsers.sources.detect import COMPRESSIONS, Format, kind_by_magic


@dataclass(frozen=True, slots=True)
class InputLimits:
    """How much one input may cost before it is refused with an error row. Sizes are bytes.

    No genuine log comes near: the biggest game is some 100 kB, and logs shrink to a tenth, not to a
    two-hundredth.
    """

    max_document: int = 32 << 20
    """A game, a JSON document, a line, a nested archive or a database row may be this big, unpacked."""
    piece: int = 1 << 20
    """A big source comes in documents of this size, more by one game at most."""
    max_ratio: int = 200
    """A source may unpack to this many times its own size ..."""
    ratio_floor: int = 1 << 20
    """... plus this much."""
    max_depth: int = 6
    """Layers of compression and archives inside each other (``zip``, ``gz``, ``tar``, ``gz``: four)."""
    max_directory: int = 32 << 20
    """The table of contents of a zip file, read into memory at once: some 300,000 members."""


DEFAULT_LIMITS = InputLimits()
"""What the commands use."""


@dataclass(frozen=True, slots=True)
class Document:
    """Whole games of one source, one format, at most ``Limits.max_document`` bytes unpacked.

    ``data`` may be compressed (gzip, bzip2, xz): read it through :func:`open_document`. ``format`` is that
    of the text inside. A small source is one document, whatever number of games it holds; a big one comes
    in several: ``first_index`` is then the number of games (for JSON lines: of lines) in the documents
    before this one, and ``whole`` is false. ``cut`` marks text that ends where its source broke off; the
    fault for that is reported elsewhere, so a parser keeps the hands that are complete and reports nothing.
    """

    location: str
    data: bytes
    format: Format
    first_index: int = 0
    whole: bool = True
    cut: bool = False

    def game_location(self, index: int, *, count: int, mark: str = "#") -> str:
        """Name of the ``index``-th (from 0) of ``count`` games here: ``file.mjlog#3``, counted from 1.

        With the mark ``:``, ``index`` is the line of a text: ``x.jsonl:12``. A source with a single game goes
        by its own name.
        """
        is_alone = self.whole and count == 1
        return self.location if is_alone else f"{self.location}{mark}{self.first_index + index + 1}"


Item = Document | InputFault
"""What sources hand out: a text with games, or something that could not be read."""


def open_document(document: Document, limits: InputLimits = DEFAULT_LIMITS) -> bytes:
    """The plain text of a document.

    Raises ParseError if the data are corrupt or too big. Raises DamagedError if they are cut off or
    have garbage after them: its ``readable`` is then to be parsed as a document with ``cut`` would be, and
    the error itself is to be reported.
    """
    data = document.data
    kind = kind_by_magic(data)
    if kind not in COMPRESSIONS:
        if len(data) > limits.max_document:
            raise too_big(limits.max_document)
        return data
    if kind is Format.GZIP:
        # Nearly every document is one sound gzip member: a single call of the fastest library, which takes
        # less than half of zlib's time. Whatever is odd about one, the slow way below finds and words it.
        most = min(limits.max_document, limits.ratio_floor + limits.max_ratio * len(data))
        inflate = isal_zlib.decompressobj(wbits=31)
        try:
            text = inflate.decompress(data, most)
        except isal_zlib.IsalError:  # type: ignore[misc]  # its stub takes the class for an instance
            text = b""
        if inflate.eof and not inflate.unused_data:
            return text
    from paifu.parsers.sources.streams import Meter, Unpacked, read_all

    return read_all(
        Unpacked(io.BytesIO(data), kind, Meter(limits.max_ratio, limits.ratio_floor)), limits.max_document
    )


_PAPERS = ("readme", "license", "licence")


def is_passed_over(name: str) -> bool:
    """Whether a file of a folder or archive is left unread: it is hidden, or says what the others are.

    Hidden are dot files and what macOS packs along; README and LICENSE files lie beside many logs.
    """
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    is_hidden = any(part == "__MACOSX" or (part.startswith(".") and part.strip(".")) for part in parts)
    return is_hidden or parts[-1].lower().startswith(_PAPERS)
