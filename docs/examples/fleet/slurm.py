"""A suite on all kinds of nodes of a Slurm cluster: `python slurm.py SUITE OUT [--budget 10m ...]`; needs submitit.

One exclusive node per partition, which gives the system its name; a job that is preempted or killed is sent again.
SUITE and OUT lie where every node sees them. Afterwards: `dlbricks submit OUT --suite SUITE`.
"""

import subprocess
import sys
from pathlib import Path

import submitit

JOB = Path(__file__).with_name("job.py")


class Run:
    """A job that submitit sends again when it was preempted."""

    def __call__(self, suite: str, out: str, name: str, options: list[str]) -> None:
        """Run the suite on the node."""
        subprocess.run([sys.executable, str(JOB), suite, out, name, *options], check=True)

    def checkpoint(self, *arguments: object) -> submitit.helpers.DelayedSubmission:
        """Go on where it stopped."""
        return submitit.helpers.DelayedSubmission(self, *arguments)


def send(
    suite: str, out: str, names: list[str], options: list[str], *, cluster: str | None = None
) -> list[submitit.Job[None]]:
    """Send a job for each name; with Slurm a name is that of a partition."""
    jobs = []
    for name in names:
        executor = submitit.AutoExecutor(folder=f"{out}/.log", cluster=cluster)
        executor.update_parameters(timeout_min=120, name=f"suite-{name}")
        if executor.cluster == "slurm":
            executor.update_parameters(slurm_partition=name, slurm_exclusive=True, nodes=1)
        jobs.append(executor.submit(Run(), suite, out, name, options))
    return jobs


if __name__ == "__main__":
    told = subprocess.run(["sinfo", "-h", "-o", "%R"], check=True, capture_output=True, text=True)
    for job in send(sys.argv[1], sys.argv[2], sorted(set(told.stdout.split())), sys.argv[3:]):
        job.result()
