"""Leveled experiments: one network run at every level of the stack, each level timed where no deeper one disturbs.

``types`` says what a profile is; ``experiment`` runs the levels of a ``subject`` in rounds, ``levels`` is one of them,
``annotate`` writes costs and counts onto its spans, ``serialised`` finds ambiguous parents by a second run; ``roofs``
and ``datasheets`` say what a machine can do at best, ``gpu_counters`` what a GPU counted. ``open`` makes a profile of
any recording, ``suite_run`` of a traced run of a suite; ``file`` reads and writes profiles, ``export`` writes files for
viewers.
"""
