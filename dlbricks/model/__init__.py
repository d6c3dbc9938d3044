"""Reads networks into models, lowers them to the graphs that runtimes execute, and writes networks."""
