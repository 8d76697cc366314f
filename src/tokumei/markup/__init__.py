"""Markup: pieces of a page, and the cards that notebooks show. Nothing here knows what is shown."""
