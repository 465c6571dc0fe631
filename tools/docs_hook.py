"""MkDocs hook: the pages at the root of the repository join the site, from where they stand.

Links are written for whoever reads the repository (``docs/dice.md`` from the root, ``../NOTICE`` from a page) and are
turned here into those of the site.

The site also opens from the disk, where a browser lets a page fetch nothing: there the index of the search comes as a
script, and is read in the page itself (``docs/js/from-disk.js``).
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


def on_post_page(output: str, page: Any, config: MkDocsConfig) -> str:
    """Before the theme's scripts: what the choice of light or dark sets, and how the search is done from the disk."""
    root = "../" * page.url.count("/")
    styles = "".join(f'<style id="hljs-{mode}"></style>' for mode in ("light", "dark"))
    return output.replace("</head>", f'{styles}<script src="{root}js/from-disk.js"></script></head>', 1)


def on_post_build(config: MkDocsConfig) -> None:
    search = Path(config.site_dir) / "search"
    index = (search / "search_index.json").read_text(encoding="utf-8")
    (search / "search_index.js").write_text(f"searchIndex = {index};", encoding="utf-8")
