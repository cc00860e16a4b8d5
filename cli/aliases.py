"""Players of several names: the file that says which names are one player."""

from __future__ import annotations

from paifu.cli.config import own_aliases
from paifu.cli.refusal import Refusal
from paifu.replay.foreign_text import composed
from paifu.replay.language import _


def read_aliases(path: str | None) -> dict[str, str]:
    """Read ``name = [other names]``; return other name -> name, beside the user's own other names.

    Raises Refusal, ArgumentError.
    """
    aliases = own_aliases()
    if path is None:
        return aliases
    from paifu.parsers.small_files import read_small_text
    from paifu.replay.rules.written_values import WrittenError, read_toml, short

    try:
        table = read_toml(read_small_text(path, "aliases"))
    except WrittenError as error:
        text = _("cannot read the aliases {path}: {error}").format(path=path, error=error)
        raise Refusal(text) from error
    for name, others in table.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            text = _('{path}: {name} should be a list of names: "{name}" = ["other", "another"]')
            raise Refusal(text.format(path=path, name=short(name)))
        name = composed(name)
        for other in map(composed, others):
            if aliases.setdefault(other, name) != name:
                text = _("{path}: {other} stands for both {first} and {second}")
                raise Refusal(
                    text.format(
                        path=path, other=short(other), first=short(aliases[other]), second=short(name)
                    )
                )
    return aliases
