"""Challenges: a system makes calls in a chain that cannot be prepared, and the collector makes some of them again."""
