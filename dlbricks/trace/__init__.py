"""Traces: spans of time at the levels of the software stack, read from the files of several profilers.

``types`` and ``kinds`` define traces and profiles; ``cupti`` and ``onnxruntime`` read recordings; ``build`` makes and
joins traces; ``correlate`` finds the parents of spans and errors of recordings; ``intervals`` computes unions of times
and ancestors; ``work_classes`` classifies kernels and operators; ``gpus`` has data sheets; ``export`` writes files for
viewers.
"""
