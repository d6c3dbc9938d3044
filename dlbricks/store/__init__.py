"""Submissions, the rules they are checked by, and the store that keeps them."""
