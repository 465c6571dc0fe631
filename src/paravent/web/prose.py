"""Texts of documents: Markdown, read by a library made for it, with nothing in it that a page would run or fetch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

_WEB = ("http://", "https://", "mailto:")
DEEPER = 2
"""A text's first heading stands under those of its page."""


def _link(self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    """A link of a text: it leads to the web, in a window of its own, or nowhere."""
    link = tokens[at]
    if not str(link.attrGet("href")).startswith(_WEB):
        link.attrs.pop("href", None)
    link.attrSet("rel", "noopener noreferrer")
    link.attrSet("target", "_blank")
    return self.renderToken(tokens, at, options, env)


@lru_cache(maxsize=256)
def prose(text: str) -> Markup:
    """A text as a part of a page: what is written as HTML is shown as written, and no picture is fetched."""
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")
    reader.add_render_rule("link_open", _link)
    tokens = reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1:]) + DEEPER)}"
    return Markup(reader.renderer.render(tokens, reader.options, {}))
