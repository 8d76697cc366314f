"""Tables come in and go out: files, workbooks, archives and databases."""
