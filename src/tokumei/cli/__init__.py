"""The command line. Heavy imports stand inside the commands, so that ``tokumei --help`` is quick."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; problems a user can mend are one sentence and exit code 1."""
    from tokumei.cli.app import app
    from tokumei.errors import TokumeiError

    try:
        app()
    except TokumeiError as error:
        print(f"tokumei: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("tokumei: interrupted; nothing was written.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
