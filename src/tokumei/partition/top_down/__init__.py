"""Top-down: part the rows around two that are far apart, and again, then mend groups that became too small."""
