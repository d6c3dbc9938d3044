"""Leveled experiments: one network traced at every level of the stack, each level timed without the deeper ones.

``types`` defines a profile. ``experiment`` runs the levels of a network in rounds, ``isolated`` does so in a process of
its own; ``levels`` is one level, ``annotate`` adds costs and counts to its spans. ``roofs`` measures and looks up the
peaks of a machine, ``gpu_counters`` reads counters of a GPU. ``open`` makes a profile of any recording, ``steps`` finds
steps in recordings. ``file`` reads and writes profiles, and writes files for viewers.
"""
