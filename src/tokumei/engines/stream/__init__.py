"""Make a release of rows that need not fit into memory.

The rows are read once, checked, prepared and kept as codes in a file without a name. The method is designed from what it asks
about them, in as many passes as its questions need; then values are drawn, addressed by column and row as in memory, and
the rows are shuffled: dealt out to buckets by keyed words, and each bucket shuffled in memory.
"""
