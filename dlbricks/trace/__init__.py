"""Traces: tables of time spans at the levels of the software stack.

``types`` and ``kinds`` define traces; ``cupti`` and ``onnxruntime`` read recordings; ``build`` makes and joins traces;
``correlate`` finds the parents of spans, and errors in recordings; ``intervals`` computes unions of time intervals, and
the ancestors of spans; ``work_classes`` classifies kernels and operators; ``gpus`` has rates from data sheets;
``export`` writes files for viewers.
"""
