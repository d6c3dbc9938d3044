"""The fifteen analyses of XSP and further ones: pure functions from profiles to tables.

``catalogue`` lists them. ``calls``, ``layers``, ``kernels``, ``device_time``, ``overlap``, ``serving`` and ``runs``
make the tables of one profile, ``comparison`` those of several. They use ``sources`` (choice of the run),
``executions`` (calls, layers, kernels), ``roofline`` and ``table``.
"""
