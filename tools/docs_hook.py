"""MkDocs hook: the pages at the root of the repository join the site, from where they stand.

Links are written for whoever reads the repository (``docs/dice.md`` from the root, ``../NOTICE`` from a page) and are
turned here into those of the site.
"""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "src")]

import reference  # noqa: E402 -- it stands beside this file

PAGES = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in PAGES:
        files.append(File.generated(config, name, content=(ROOT / name).read_text(encoding="utf-8")))
    for room in reference.ROOMS:
        files.append(File.generated(config, f"reference/{room}.md", content=reference.page(room)))
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    files.append(File.generated(config, "NOTICE.md", content=f"# NOTICE\n\n```text\n{notice}```\n"))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    markdown = re.sub(r"\]\(\.\./NOTICE\)", "](NOTICE.md)", markdown)
    return re.sub(r"\]\((?:docs/|\.\./)(?=[\w./-]+\.md)", "](", markdown)
