"""What an attacker can actually do: measured by the data holder, who knows the truth."""
