"""What if: dependency graphs of measured and of composed runs, edits on them, and their replay."""
