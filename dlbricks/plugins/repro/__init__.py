"""The command ``repro``: the smallest piece of a network that one runtime computes slower than another."""
