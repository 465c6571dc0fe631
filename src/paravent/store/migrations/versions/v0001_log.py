"""The log as it was first written.

A migration that has been published is never edited: it says what an old database looks like.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("event", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("command", sa.Text, primary_key=True),
        sa.Column("reply", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "links",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("revoked", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )
    if op.get_context().dialect.name == "sqlite":
        op.create_table(
            "tray",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("table_id", sa.Text, nullable=False),
            sa.Column("number", sa.BigInteger, nullable=False),
            sa.Column("event", sa.Text, nullable=False),
            sa.Column("command", sa.Text, nullable=False),
            sa.Column("reply", sa.Text, nullable=False),
        )


def downgrade() -> None:
    """A log is never taken back: restore a copy instead."""
    raise NotImplementedError
