"""Numbers in a finding's ``expected`` or ``actual`` for what no value can say. No code.

Shared by the kernels that note findings and by the words that are made of them.
"""

from __future__ import annotations

NOT_TO_MOVE, NOT_HELD, NOT_TENPAI, NOT_CLOSED = -1, -2, -3, -4
"""In place of what is expected: what is wrong with a kan (V206) or a riichi (V207)."""
OTHER_COPY, OTHER_SOURCE = -5, -6
"""Likewise: the tile may be there, but not the physical copy that the log names (V103, V202, V204, V206,
V213); the pon was fed by another seat than the added kan says (V206)."""
NOT_PLAYED, WAITED_FOR = -8, -9
"""Likewise: the rules know no riichi with the hand shown (V207); an open riichi waits for the tile (V205)."""
DECLARED_LATE = -10
"""Likewise: the riichi is stated after the discard that it was declared with (V207)."""
OTHER_GROUPS = -7
"""Likewise: the waits stay the same, but the kan takes tiles that another group could need (V206)."""
NOT_OFFERED, OTHER_TILES = -2, -3
"""In place of base points: the tile could not be won at all (V301); in their place or that of tenpai: the
tiles shown are not those of the hand (V301, V406)."""
NOT_IN_RULES, NO_CAUSE = -1, -2
"""In place of what is expected: why a foul cannot be, by the rules or by the events (V215)."""
DORA_SORT = 1000
"""V308 says of which dora: 0 + number of dora, 1000 + ura, 2000 + red, 3000 + indicator (a kind; a tile),
4000 + number of ura indicators."""
