"""``python -m tokumei``."""

from tokumei.cli import main

if __name__ == "__main__":
    main()
