"""Alembic's door: runs the migrations on the connection that ``paravent.store.migrate`` hands over, already locked."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
