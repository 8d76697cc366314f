"""The farthest row first, with the nearest rows that are left."""
