"""`mnemolog recall`: what a session should know when it begins."""

from __future__ import annotations

import click

from mnemolog.answers.recall import DEFAULT_BUDGET, LEAST_BUDGET
from mnemolog.cli.opening import open_memory, reporting_errors
from mnemolog.cli.output import json_option, print_json


@click.command("recall")
@click.option(
    "--budget",
    metavar="TOKENS",
    default=DEFAULT_BUDGET,
    show_default=True,
    type=click.IntRange(min=LEAST_BUDGET),
    help="How long it may be; counted on the high side.",
)
@click.option("--for", "topic", metavar="TEXT", help="Only what answers TEXT, best first.")
@json_option
def command(budget: int, topic: str | None, *, as_json: bool) -> None:
    """Print the facts worth most to somebody who begins to work here, marked as data.

    Made for the hooks with which clients begin a session. High priority comes first, then what was
    said or opened lately and what is connected. Facts that read like instructions or hold secrets
    are left out. Prints nothing where there is no memory.

    \b
    Examples:
      mnemolog recall
      mnemolog recall --budget 500 --for "how are releases deployed"
    """
    with reporting_errors():
        recalled = open_memory().recall(budget, topic)
    if as_json:
        print_json(recalled)
        return
    for line in recalled.lines():
        click.echo(line)
