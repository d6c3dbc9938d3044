"""Plug-ins that come with dlbricks. Entry points find them; they are imported only when used, and by no other package.

Each plug-in is a package. It may import the rest of dlbricks, but no other plug-in (``tests/test_layering.py``).
"""
