"""``python -m ingest``: the archive's commands alone, without agent and bot."""

import click

from ingest.cli.checking import doctor_command
from ingest.cli.exporting import export_command
from ingest.cli.importing import import_command
from ingest.cli.indexing import reindex_command
from ingest.cli.listing import channels_command, status_command

click.Group(
    "ingest",
    commands=[
        import_command,
        export_command,
        channels_command,
        status_command,
        doctor_command,
        reindex_command,
    ],
    help="Fill and look after the archive.",
)(prog_name="python -m ingest")
