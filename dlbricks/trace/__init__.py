"""Spans and traces: what happened when, at which level of the stack, read from whoever recorded it."""
