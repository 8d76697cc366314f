"""The words of the studio's forms: what methods, steps and their settings are called, one file per language."""
