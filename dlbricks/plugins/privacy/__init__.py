"""Privacy of suites: what a suite discloses, and suites with public sizes instead of private ones."""
