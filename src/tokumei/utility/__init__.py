"""How much a release still says: measured by its holder, who has the original too. No number of it enters a release."""
