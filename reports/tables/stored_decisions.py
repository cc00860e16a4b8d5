"""The table of decisions that an import keeps, and reading it again."""

from __future__ import annotations

import hashlib
from functools import cache

from paifu.coach.decisions import Decisions
from paifu.replay.model.batch import Batch
from paifu.replay.source_hash import source_hash
from paifu.reports.metrics.records import records_key


def stored_decisions(batch: Batch) -> Decisions:
    """Return the table of decisions of a batch, each game under its log's rules."""
    from paifu.coach.judgement.judged import decisions  # loads the compiler

    parts = list(decisions(batch))
    return parts[0].concatenated(parts[1:]) if parts else Decisions.empty()


@cache
def decisions_key() -> str:
    """Return a hash of all that the table of decisions depends on: the engine, and the models."""
    return hashlib.sha256((records_key() + source_hash(["coach"], (".py", ".npz"))).encode()).hexdigest()[:32]
