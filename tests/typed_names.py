"""What type checkers know of the public names. Nothing runs this: `mypy` checks it with the package.

A mistaken name is an error, which is ignored here by its name: were it none, the checker would say that nothing is ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import assert_type

    import tokumei as tk
    from tokumei.partition.mondrian import Mondrian
    from tokumei.prepare.drop import Drop

    assert_type(tk.partitions.Mondrian(min_size=5), Mondrian)
    assert_type(tk.prepare.Drop("name"), Drop)
    tk.partitions.Mondrain()  # type: ignore[attr-defined]
    tk.Mondrian()  # type: ignore[attr-defined]
