"""Tables, JSON and pictures from finished objects; computes nothing."""
