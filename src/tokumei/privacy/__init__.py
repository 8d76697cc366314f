"""The arithmetic of promises: what an attacker who knows everything public can still not know."""
