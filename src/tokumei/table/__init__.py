"""What the data are: domains, hierarchies, schemas, and tables of integer codes."""
