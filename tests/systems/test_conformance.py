"""Every system installed passes the common suite."""

from paravent.testing.test_conformance import test_every_system_conforms

__all__ = ["test_every_system_conforms"]
