"""What a suite tells of the networks it was made of, measured by attacks on it."""
