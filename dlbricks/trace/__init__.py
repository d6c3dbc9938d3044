"""Spans and traces: what happened when, at which level of the stack, read from whoever recorded it.

``types`` and ``kinds`` say what a trace is; ``read`` makes traces of recordings; ``build`` makes and joins them;
``correlate`` finds parents, ``ancestry`` walks them, ``intervals`` unites times; ``checks`` finds what is wrong;
``devices`` knows states and limits of GPUs; ``export`` writes files for viewers.
"""
