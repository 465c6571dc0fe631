"""Events written by earlier versions, brought up to date one version at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: dict[int, Upcaster] = {}
"""From each past version of the format, how to write an event of it in the next."""


def upcast(data: Mapping[str, Any]) -> dict[str, Any]:
    """The event in the present format."""
    from .events import FORMAT

    event = dict(data)
    version = int(event.get("format", 1))
    while version < FORMAT:
        event = UPCASTERS[version](event)
        version += 1
        event["format"] = version
    return event
