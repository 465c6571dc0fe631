"""The report that says which rules, examples and chances of the game the tests have proven."""

pytest_plugins = ["paravent.testing.report"]
