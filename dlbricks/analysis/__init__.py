"""The fifteen analyses of XSP, and further analyses; all are pure functions from profiles to tables.

``catalogue`` lists the analyses and compares profiles. ``calls``, ``kernels`` and ``device_time`` make the tables of
one profile. They use ``executions`` (the run to analyse; its calls, layers, kernels), ``roofline`` and ``table``.
"""
