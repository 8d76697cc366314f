"""`tokumei proof`."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.command import JUDGE, command
from tokumei.cli.completion import choices


@command("tokumei proof pk", panel=JUDGE)
def proof(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="pk, sampling, epsilon, central, k, diversity, population, swapping, rates, combined or repeated, as a guarantee names it.",
            autocompletion=choices("tokumei.privacy.proofs", "PROOFS"),
        ),
    ],
) -> None:
    """Print the proof of a guarantee, with its formula and assumptions."""
    from tokumei.cli.command import say
    from tokumei.privacy.proofs import proof_text

    say(proof_text(name))
