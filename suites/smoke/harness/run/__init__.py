"""Runs a whole suite: schedules visits, sends them to worker processes, and writes the result file."""
