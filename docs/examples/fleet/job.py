"""One job of a fleet: `python job.py SUITE OUT NAME [options of run.py]`. Python alone suffices to run this file.

The convention of all adapters beside this file: one job at a time on a machine (a lock); a job that was killed goes on
where it stopped; a finished result is OUT/NAME-<16 digits of its SHA-256>.json, moved there whole, and a job that finds
one is over. So jobs may be killed, sent again and copied about; `dlbricks submit OUT --suite SUITE` takes each once.
"""

import fcntl
import glob
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO


def main(suite: Path, out: Path, name: str, options: list[str]) -> int:
    """Run the suite unless its result is there; give the exit code of the run."""
    work = out / ".work"
    work.mkdir(parents=True, exist_ok=True)
    with machine_lock() as slot:
        fcntl.flock(slot, fcntl.LOCK_EX)
        if any(out.glob(f"{glob.escape(name)}-{16 * '[0-9a-f]'}.json")):
            return 0
        result = work / f"{name}.json"
        command = [sys.executable, str(suite / "run.py"), "-o", str(result), "--name", name, *options]
        if result.exists() or (work / f"{name}.partial.json").exists():
            command.append("--resume")
        code = subprocess.run(command, check=False, pass_fds=[slot.fileno()]).returncode  # holds the lock, too
        if code in {0, 4}:  # 4: a benchmark failed, which the result says
            digest = hashlib.sha256(result.read_bytes()).hexdigest()[:16]
            result.replace(out / f"{name}-{digest}.json")
        return code


def machine_lock() -> BinaryIO:
    """Open the lock file of this machine, which belongs to whoever came first; others may read it, and so lock it."""
    path = Path(tempfile.gettempdir()) / "dlbricks-job.lock"
    usual = os.umask(0)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o444))
    except FileExistsError:
        pass
    finally:
        os.umask(usual)
    return path.open("rb")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
