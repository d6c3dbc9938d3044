"""Traces: spans of time at the levels of the software stack, read from the files of several profilers.

``types`` and ``kinds`` define a trace; ``read`` reads recordings; ``build`` makes and joins traces; ``correlate`` finds
the parents of spans; ``intervals`` computes unions of times and ancestors; ``checks`` finds errors; ``operator_work``
and ``shape_work`` compute operations and bytes; ``devices`` has states and limits of GPUs; ``export`` writes files for
viewers.
"""
