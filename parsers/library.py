"""Logs by their ids: files of folders, members of archives, rows of databases that are named by an id."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paifu.parsers.addresses import MAJSOUL, MLEAGUE, REPORT, RIICHI_CITY, TENHOU, LogAddress
from paifu.parsers.errors import InputFault, ParseError
from paifu.parsers.sources.archives import tar_members, zip_members
from paifu.parsers.sources.databases import names_of_rows
from paifu.parsers.sources.detect import COMPRESSIONS, HEAD, Format, sniff
from paifu.parsers.sources.documents import DEFAULT_LIMITS
from paifu.parsers.sources.paths import STDIN, folder_files, resolve
from paifu.parsers.sources.streams import Meter, Peekable, Unpacked
from paifu.replay.errors import PaifuError
from paifu.replay.foreign_text import escaped
from paifu.replay.language import N_, _

_DOWNLOADS = {
    TENHOU: N_("download https://tenhou.net/0/log/?{id} and save it as {id}.mjlog"),
    MAJSOUL: N_("save the record, for instance as the JSON of tensoul, as {id}.json"),
    RIICHI_CITY: N_("save the record as {id}.json"),
    MLEAGUE: N_("save the page as {id}.html"),
    REPORT: N_("save the report as {id}.json"),
}
_ABOUT = {
    "player": N_("a player's page: it names games, but is none"),
    "view_game": N_("a game whose id is hidden: open it in a browser and give the address that it leads to"),
}
_PACKED = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_STORED = (".db", ".sqlite", ".sqlite3")


class NotInLibraryError(PaifuError):
    """An address of a log that no library has: what to download, and where it was looked for."""


def located(text: str, address: LogAddress, library: Sequence[str | Path]) -> str:
    """Return the path of the log that an address names: a file, or ``ARCHIVE:MEMBER``, ``DATABASE:ID``.

    Raises NotInLibraryError, PathNotFound for a library that is not there.
    """
    shown = escaped(text)
    if not address.ids:
        told = _("{address} is {what}")
        raise NotInLibraryError(told.format(address=shown, what=_(_ABOUT[address.about])))
    for place in library:
        for top in resolve(place):
            found = next(_named(top, address.ids), None)
            if found is not None:
                return found
    name = address.ids[0]
    what = _("{address} is a log of {platform}, {id}").format(
        address=shown, platform=_(address.platform), id=name
    )
    how = _(_DOWNLOADS[address.platform]).format(id=name)
    if not library:
        told = _("{what}. paifu goes to no network. To read it, {how}, and name its folder with --library")
        raise NotInLibraryError(told.format(what=what, how=how))
    told = _("{what}. It was looked for in {places}, and is not there. To read it, {how} there")
    places = ", ".join(escaped(os.fspath(place)) for place in library)
    raise NotInLibraryError(told.format(what=what, how=how, places=places))


def _named(top: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield paths of logs below ``top`` whose names hold one of some ids, those of likelier ids first."""
    if top == STDIN:
        return
    folder = os.path.isdir(top)  # noqa: PTH112
    for entry in folder_files(top):
        if isinstance(entry, InputFault):
            continue
        name = os.path.basename(entry)  # noqa: PTH119
        if any(one in name for one in ids):
            yield entry
        elif not folder or name.lower().endswith((*_PACKED, *_STORED)):
            yield from _within(entry, ids)


def _within(path: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield members or rows of an archive or database."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return  # a pipe, which opens only when somebody writes
        with Path(path).open("rb") as file:
            head = file.read(HEAD)
            kind = sniff(head)
            file.seek(0)
            names: Iterable[str]
            if kind is Format.SQLITE:
                names = names_of_rows(Path(path), ids)
            else:
                meter = Meter(DEFAULT_LIMITS.max_ratio, DEFAULT_LIMITS.max_document, location=path)
                meter.raw = os.fstat(file.fileno()).st_size
                if kind is Format.ZIP:
                    members = zip_members(file, meter, DEFAULT_LIMITS)
                elif kind is Format.TAR:
                    members = tar_members(Peekable(file), path, meter)
                elif kind in COMPRESSIONS:
                    inner = Peekable(Unpacked(file, kind, meter.child(DEFAULT_LIMITS.ratio_floor)))
                    if sniff(inner.peek(HEAD)) is not Format.TAR:
                        return
                    members = tar_members(inner, path, meter)
                else:
                    return
                names = (member.name for member in members)
            for name in names:
                if any(one in name for one in ids):
                    yield f"{path}:{name}"
    except (OSError, ParseError, sqlite3.Error):
        return  # what cannot be read has no log; reading it says why
