"""What-if questions: predicts the effect of an optimisation by editing and replaying a dependency graph.

The way of the data: ``sources`` turn traces, profiles and composed networks into a ``graph``. A ``transform`` (all are
in ``transforms``, by family) chooses tasks (``select``), by what they do (``work``), and changes the graph (``edit``;
``launching`` for kernels with their calls). ``simulate`` gives a schedule, ``explain`` its critical path, ``timeline``
a trace for viewers, ``answer`` the gain and its interval. ``backtest`` compares predictions with measurements.
"""
