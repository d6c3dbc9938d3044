"""Made-up weights and inputs for networks whose real ones are not at hand."""
