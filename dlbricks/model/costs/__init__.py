"""Costs of layers from their shapes alone: operations, bytes, features for estimates."""
