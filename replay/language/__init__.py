"""The language in which people are spoken to: English, or that of a catalogue.

Texts are written in English where they are used, as ``_("{count} games").format(count=count)``. A text
that is declared before the language is known (in a table, as a module's constant) is marked with :func:`N_`
there and translated with :func:`_` where it is shown. Data for programs (JSON, CSV, Parquet, codes, names of
statistics) is English in every language.

``python docs/translate.py`` collects the texts, keeps the catalogues under ``replay/language`` up to date and
compiles them.
"""

from __future__ import annotations

import gettext
import os
from functools import cache
from pathlib import Path
from types import MappingProxyType

LANGUAGES = MappingProxyType({"en": "English", "ja": "日本語"})
"""Code of each language -> how it calls itself."""
VARIABLE = "PAIFU_LANG"
"""Environment variable that holds the language of this process and of those that it starts."""

_FOLDER = Path(__file__).parent


def language() -> str:
    """Return the code of the language in use."""
    code = os.environ.get(VARIABLE, "en")
    return code if code in LANGUAGES else "en"


def speak(code: str) -> None:
    """Speak a language of :data:`LANGUAGES` from now on, here and in processes that are started from here."""
    os.environ[VARIABLE] = code


def _(text: str) -> str:
    """Translate a text.

    >>> _("win rate")
    'win rate'
    """
    return _catalogue(language()).gettext(text) if text else text


def ngettext(one: str, many: str, count: int) -> str:
    """Translate what is said of one thing or of several; the text holds the count as ``{count}``."""
    return _catalogue(language()).ngettext(one, many, count)


def pgettext(context: str, text: str) -> str:
    """Translate a text that means different things in different places; the context tells them apart."""
    return _catalogue(language()).pgettext(context, text)


def N_(text: str) -> str:  # noqa: N802  the name that all tools for catalogues know
    """Mark a text for the catalogues without translating it."""
    return text


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == "en":
        return gettext.NullTranslations()
    with (_FOLDER / f"{code}.mo").open("rb") as file:
        return gettext.GNUTranslations(file)
