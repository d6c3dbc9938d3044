"""Passes over a Graph: order, constant folding, shape inference, fusion groups."""
