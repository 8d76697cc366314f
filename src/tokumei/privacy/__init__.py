"""The arithmetic of guarantees: what an attacker who knows everything public still cannot know."""
