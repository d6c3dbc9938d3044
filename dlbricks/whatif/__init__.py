"""What-if analysis, which predicts the effect of an optimisation: it edits a dependency graph of tasks and replays it.

``sources`` converts traces, profiles and composed networks to a ``graph``. A ``transform`` selects tasks (``select``)
by their class of work (``work``) and edits the graph (``edit``). ``simulate`` computes a schedule. ``explain`` finds
the critical path of a schedule. ``answer`` computes the gain and its interval.
"""
