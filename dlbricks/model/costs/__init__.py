"""Costs of layers from shapes alone: operations, bytes, features for interpolation, kernels that measure roofs."""
