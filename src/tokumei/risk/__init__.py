"""What an attacker can really do: measured on the data holder's side, where the truth is known."""
