"""Says which runtime this Python has, or what it lacks, in one line of JSON: ``python -m harness.run.installed``."""

import json
import sys

from ..errors import HarnessError, require_packages


def main() -> None:
    """Write the line."""
    try:
        require_packages()
    except HarnessError as error:
        found = {"error": str(error)}
    else:
        import onnxruntime

        found = {"runtime": f"onnxruntime {onnxruntime.__version__}"}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
