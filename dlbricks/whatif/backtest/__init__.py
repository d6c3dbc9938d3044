"""Back-tests: predictions beside what was measured without them."""
