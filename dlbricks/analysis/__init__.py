"""The fifteen analyses of XSP and further ones: pure functions from profiles to tables.

``catalogue`` lists them and compares profiles. ``calls``, ``kernels`` and ``device_time`` make the tables of one
profile. They use ``executions`` (choice of the run; its calls, layers, kernels), ``roofline`` and ``table``.
"""
