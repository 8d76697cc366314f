"""What an attacker can really do: measured on the holder's side, where the truth is known."""
