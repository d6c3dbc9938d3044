"""Leveled experiments: a network is timed and traced at every level of the software stack.

``experiment`` calls the network in rounds, once per level; ``levels`` runs one level; ``counters`` counts hardware
events; ``roofs`` measures peak rates of a machine; ``open`` makes a profile from any recording; ``file`` reads and
writes profiles.
"""
