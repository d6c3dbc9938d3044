"""Leveled experiments: a network is timed and traced at every level of the software stack.

``experiment`` calls the network in rounds, once per level; ``levels`` runs one level and adds the costs of its layers;
``counters`` counts hardware events; ``roofs`` measures peak rates of a machine or looks them up. ``open`` makes a
profile from any recording; ``file`` reads and writes profiles, and writes files for trace viewers.
"""
