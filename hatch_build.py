"""Build hook: the pages' two scripts come from a registry package at build time, and are never committed."""

import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPTS = {"htmx-4.min.js": "htmx.js", "ext/hx-sse-4.min.js": "hx-sse.js"}


class CopyScripts(BuildHookInterface):  # type: ignore[type-arg]
    """Copy htmx and its server-sent events extension beside our own static files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        target = Path(self.root) / "src" / "paravent" / "web" / "static" / "vendor"
        target.mkdir(parents=True, exist_ok=True)
        source = files("django_htmx").joinpath("static", "django_htmx")
        for name, ours in SCRIPTS.items():
            with source.joinpath(*name.split("/")).open("rb") as script, (target / ours).open("wb") as copy:
                shutil.copyfileobj(script, copy)
