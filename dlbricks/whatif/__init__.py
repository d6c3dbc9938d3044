"""What-if analysis: predicts the effect of an optimisation by editing and replaying a dependency graph.

``sources`` convert traces, profiles and composed networks into a ``graph``. A ``transform`` selects tasks (``select``)
by their class of work (``work``) and edits the graph (``edit``). ``simulate`` computes a schedule, ``explain`` its
critical path, ``answer`` the gain and its interval.
"""
