"""Plug-ins that come with dlbricks: found by entry points, imported only when used, and by no module outside.

Each is a package of its own. It may import the rest of dlbricks, but no other plug-in (``tests/test_layering.py``).
"""
