"""What comes from strangers: files, packages, faults."""
