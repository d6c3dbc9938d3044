"""Click commands: parse, one library call, print."""
