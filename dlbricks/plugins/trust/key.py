"""Show or change the owner of a system's name."""

from pathlib import Path

import click

from dlbricks.api.estimates import open_store
from dlbricks.cli.options import json_flag, out_option, store_option
from dlbricks.cli.output import present
from dlbricks.cli.results import KEY_HELP, OUT_HELP
from dlbricks.errors import InputError


@click.command(short_help=__doc__)
@click.argument("system", metavar="SYSTEM")
@click.option(
    "--next", "following", metavar="KEY.pub", help="Transfer the name to this public key; without it, show the keys."
)
@click.option("--reason", metavar="TEXT", help="Reason of the transfer; it is shown with the name.")
@click.option("--key", metavar="KEY", help=KEY_HELP)
@out_option(metavar="FILE.json", help=OUT_HELP)
@store_option
@json_flag
def key(
    system: str, following: str | None, reason: str | None, store: str | None, as_json: bool, **transfer: str | None
) -> None:
    """Show the keys that owned the name of a system, or transfer the name to another key.

    With --key, the command writes a statement that the present key signs. If that key is lost, the operator of the
    store verifies the owner's identity and transfers the name without --key; --reason should state how the identity was
    verified. Results of former keys stay valid. All keys, dates and reasons are shown with the name.
    """
    from dlbricks.plugins.trust.signing import fingerprint_of
    from dlbricks.report.results import keys_report
    from dlbricks.store.history import signed_statement, write_statement
    from dlbricks.store.submission import SubmitOptions, submit

    if (following is None) != (reason is None) or (following is None and (transfer["key"] or transfer["out"])):
        raise InputError("a transfer needs the next key and a reason: add --next KEY.pub --reason TEXT")
    by = fingerprint_of(Path(following)) if following else ""
    if transfer["out"]:
        write_statement(Path(transfer["out"]), transfer["key"], says="key", system=system, reason=reason or "", by=by)
        line = f"{transfer['out']} states that the name {system} passes to key {by}"
        present("key", {"system": system, "keys": []}, lambda: [line], as_json=as_json)
        return
    with open_store(store, write=True) as opened:
        if by and transfer["key"]:
            data, signature = signed_statement(transfer["key"], says="key", system=system, reason=reason or "", by=by)
            submit(opened, data, options=SubmitOptions(signature=signature))
        elif by:
            opened.names.transfer(system, by, reason or "")
        keys = opened.names.keys(system)
    present("key", {"system": system, "keys": keys}, lambda: keys_report(system, keys), as_json=as_json)
