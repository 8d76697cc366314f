"""The boundary between the data holder and the analyst: a folder with the rows and a manifest of public facts."""
