"""What releases are good for: research that needs both the holder's side and the analyst's."""
