"""What releases are good for: measures of the data holder, who has the original too, and research that needs both sides."""
