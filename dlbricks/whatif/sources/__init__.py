"""Sources of dependency graphs: traces and profiles (``load``, ``traces``), composed networks (``networks``)."""
