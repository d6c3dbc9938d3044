"""Privacy of a suite: what it discloses to its receiver, and suites on a public grid in place of private sizes."""
