"""Back-tests of what-if: predictions beside measurements, and the files in ``suites/results`` that hold them."""
