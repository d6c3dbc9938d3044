"""The fifteen analyses of XSP and further ones: pure functions from profiles to tables.

``catalogue`` lists them. ``runs``, ``layers``, ``kernels`` and ``device_time`` make the tables of one profile,
``comparison`` those of several. They use ``executions`` (choice of the run; its calls, layers, kernels),
``roofline`` and ``table``.
"""
