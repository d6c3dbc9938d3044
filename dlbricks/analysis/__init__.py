"""The fifteen analyses of XSP and their successors: pure functions from profiles to tables.

``catalogue`` lists them. ``calls``, ``layers``, ``kernels``, ``device_time`` and ``runs`` make the tables of one
profile, ``comparison`` those of several; all start from ``sources`` (which run), ``executions`` (calls, layers,
kernels), ``roofline``, ``statistics`` and ``table``.
"""
