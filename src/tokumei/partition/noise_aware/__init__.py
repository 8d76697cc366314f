"""Cuts chosen so that noise inside the groups' boxes is as little as can be."""
