"""Runs a whole suite: what is visited when, in which worker process, and what the result file says of it."""
