"""Why a finding is one, where its code has several reasons: ``reason`` of the findings. No code.

0 is the reason that most findings of a code have; what ``expected`` and ``actual`` count follows from code
and reason together. Shared by whatever notes findings and by the words that are made of them.
"""

from __future__ import annotations

PLAIN = 0
"""The code's usual reason."""
(
    # Of a tile or a move.
    OTHER_COPY,  # V103, V202, V204, V206, V213: the tile may be there, but not the copy that the log names
    NOT_HELD,  # V204, V206, V213: the hand lacks a tile
    NOT_NOW,  # V206, V213: another's turn, or no moment for such a move
    IN_RIICHI,  # V207, V213: what riichi does not allow
    NOT_PLAYED,  # V207, V213: the rules know no such move
    WAITED_FOR,  # V205: an open riichi waits for the tile
    OTHER_SOURCE,  # V206: the pon was fed by another seat than the added kan says
    OTHER_GROUPS,  # V206: the waits stay the same, but the kan takes tiles that another group could need
    OTHER_TILE,  # V213: a tile that is not set aside
    # Of a riichi.
    NOT_TENPAI,  # V207
    DECLARED_LATE,  # V207: the riichi is stated after the discard that it was declared with
    OPEN_HAND,  # V207
    SECOND_RIICHI,  # V207
    FEW_POINTS,  # V207: points, which are expected and actual
    SHORT_WALL,  # V207: tiles left to draw, likewise
    FOUL_SHOWN,  # V207: a win that shows that its riichi, or a kan under it, was a foul
    UNPAID,  # V208: the tile passed, the stick is not paid
    NOT_DUE,  # V208: a stick is paid that is not due
    TILE_WON,  # V208: a stick is paid although the tile was won
    # Of a foul.
    NOT_IN_RULES,  # V215
    # Of a win or a draw.
    NOT_OFFERED,  # V301: the tile could not be won at all
    ROBS_ANKAN,  # V301: the tile of a closed kan, which only thirteen orphans could rob
    ORPHANS_ROB_ANKAN,  # V301: thirteen orphans rob it, which the rules do not allow
    OTHER_TILES,  # V301, V406: the tiles shown are not those of the hand
    LIMIT,  # V307: the limit differs; the log states no points
    URA,  # V308: ura dora, not dora
    RED,  # V308: red dora
    INDICATOR,  # V308: an indicator (a kind; a tile)
    URA_INDICATORS,  # V308: how many ura indicators are shown
    TOO_MANY_WINS,  # V309
    # Of a game, and of a wall.
    FINAL_POINTS,  # V506: points that follow from the final scores, in thousandths
    ANOTHER_WALL,  # V601: the wall is another one altogether
) = range(1, 33)  # fmt: skip
