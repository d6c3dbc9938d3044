"""Privacy of a suite: what it discloses to its receiver, and suites with public grid sizes instead of private sizes."""
