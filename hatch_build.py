"""Build hooks: the pages' two scripts come from a registry package at build time, and are never committed; and what a
package index shows of us follows from where we are at home, which is said when the package is built
(``PARAVENT_HOME_URL=https://… make dist``) and stands in no file."""

import os
import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

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


HOME = "PARAVENT_HOME_URL"
PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}
PICTURE = re.compile(r'!\[[^\]]*\]\((?P<to>[^)\s]+)\)|<img [^>]*src="(?P<src>[^"]+)"[^>]*>')
LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]*)\]\((?P<to>[^)\s]+)\)")
FENCED = re.compile(r"(^```.*?^```\n)", re.MULTILINE | re.DOTALL)


class SaysWhereWeAre(MetadataHookInterface):
    """The long description and the project's links, made for wherever we are at home; or for nowhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = os.environ.get(HOME, "").strip().rstrip("/")
        if home and not re.fullmatch(r"https?://[^\s/]+(/[^\s]*)?", home):
            raise ValueError(f"{HOME} is no address: {home}")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(text, home)}
        if home:
            metadata["urls"] = {"Homepage": home, **{name: page(home, path) for name, path in PAGES.items()}}


def page(home: str, path: str) -> str:
    """Where a file of ours is read."""
    return f"{home}/blob/HEAD/{path}"


def picture(home: str, path: str) -> str:
    """Where a picture of ours is fetched from."""
    return f"{home}/raw/HEAD/{path}"


def long_description(text: str, home: str) -> str:
    """The README with every way out of it leading somewhere: to our home, or nowhere at all where there is none."""
    parts = FENCED.split(text)
    return "".join(part if at % 2 else _leading_home(part, home) for at, part in enumerate(parts))


def _leading_home(text: str, home: str) -> str:
    def shown(found: re.Match[str]) -> str:
        to = found["to"] or found["src"]
        if not _is_ours(to):
            return found[0]
        return found[0].replace(to, picture(home, to)) if home else ""

    def led(found: re.Match[str]) -> str:
        words, to = found["words"], found["to"]
        if not _is_ours(to):
            return found[0]
        return f"[{words}]({page(home, to)})" if home else words

    return re.sub(r"\n{3,}", "\n\n", LINK.sub(led, PICTURE.sub(shown, text)))


def _is_ours(to: str) -> bool:
    """Whether a link leads to a file of the repository."""
    return not re.match(r"[a-z]+:|#|//", to)
