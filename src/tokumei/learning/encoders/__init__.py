"""Columns of features from cells, raw or made coarser: scikit-learn transformers, one file each."""
