"""Leveled experiments: one network traced at every level of the stack, each level timed without the deeper ones.

``experiment`` runs the levels of a network in rounds; ``levels`` is one level, with the
costs of its layers; ``counters`` counts hardware events; ``roofs`` measures and looks up the peaks of a machine.
``open`` makes a profile of any recording; ``file`` reads and writes profiles, and writes files for viewers.
"""
