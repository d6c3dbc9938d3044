"""Where graphs come from: traces and profiles (``load``, ``traces``), composed networks (``networks``)."""
