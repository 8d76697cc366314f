"""How compiled sums over coordinates may be rearranged."""

# Sums may be added up in any order, which lets the processor add several at a time; infinities keep their meaning.
FAST = {"reassoc", "contract", "arcp", "nsz"}
