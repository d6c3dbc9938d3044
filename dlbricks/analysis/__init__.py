"""The fifteen analyses of XSP, and further analyses; all are pure functions from profiles to tables.

``catalogue`` lists the analyses and compares profiles. ``calls``, ``kernels`` and ``device_time`` compute the tables of
one profile. They use ``executions`` (calls, layers and kernels of the run to analyse), ``roofline`` and ``table``.
"""
