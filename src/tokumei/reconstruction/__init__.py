"""The analyst's side: from a release and its public mechanism back to the statistics of the original."""
