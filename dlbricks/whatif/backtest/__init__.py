"""Back-tests: predictions compared with measurements that they did not use."""
