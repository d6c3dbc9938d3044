"""The fifteen analyses of XSP and their successors: pure functions from profiles to tables."""
