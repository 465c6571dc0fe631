"""A page as a person meets it: the words it says, its links, its forms with what may be chosen in them.

No browser: our pages are well formed, so one pass over the tags is enough. What is inside a closed fold can still be
reached by a tap (``folded``); what is hidden, for a dialogue that is shut or for those without a script, cannot.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode

TOKEN = re.compile(r"<!--.*?-->|<!\w[^>]*>|<(/?)([a-zA-Z][\w:-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|([^<]+)", re.DOTALL)
ATTRIBUTE = re.compile(r"([\w:@.-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
EMPTY = frozenset({"input", "meta", "link", "br", "img", "hr", "source", "wbr"})
SILENT = frozenset({"script", "style", "code"})
SAID = ("title", "placeholder", "aria-label", "alt", "label", "data-sure")
"""Attributes whose words people read or hear."""
BLIND = frozenset({"noscript", "template"})
READ = frozenset({"form", "input", "button", "select", "option", "textarea", "a", "datalist", "article", "label"})


@dataclass
class Control:
    """Something on a form that can be filled in or pressed."""

    tag: str
    kind: str
    name: str
    value: str
    on: bool = False
    enabled: bool = True
    hidden: bool = False
    folded: bool = False
    needed: bool = False
    lowest: str = ""
    highest: str = ""
    usual: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    suggested: str = ""
    words: str = ""
    typed: bool = False
    """Whether somebody wrote in it what no page had offered."""

    @property
    def in_hand(self) -> bool:
        """Whether it is there to be used, at least after unfolding."""
        return self.enabled and not self.hidden and self.kind != "hidden"

    @property
    def in_view(self) -> bool:
        """Whether it is there to be used at once."""
        return self.in_hand and not self.folded

    @property
    def sends(self) -> bool:
        """Whether pressing it sends its form."""
        return self.kind in ("submit", "image")


@dataclass
class Form:
    """A form, with whatever belongs to it wherever it stands on the page."""

    action: str
    method: str
    at_once: bool
    """Whether a change is sent as soon as it is made."""
    hidden: bool
    folded: bool
    faces: str = ""
    controls: list[Control] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=dict)
    """The words at hand on its page, by the name of their list."""

    @property
    def does(self) -> str:
        """What it asks for: the last part of its address."""
        return self.action.partition("?")[0].rpartition("/")[2]

    def held(self, name: str) -> str:
        """The value that is sent under a name whatever is done."""
        return next((one.value for one in self.controls if one.name == name), "")

    @property
    def buttons(self) -> list[Control]:
        """What sends it."""
        return [one for one in self.controls if one.sends and one.in_hand]

    @property
    def inputs(self) -> list[Control]:
        """What can be filled in."""
        return [one for one in self.controls if not one.sends and one.in_hand and one.kind != "button"]

    def sent(self, button: Control | None = None) -> list[tuple[str, str]]:
        """What a browser would send as it stands."""
        pairs = []
        for one in self.controls:
            if not one.name or not one.enabled or one.kind in ("submit", "button", "reset", "image"):
                continue
            if one.kind in ("checkbox", "radio") and not one.on:
                continue
            pairs.append((one.name, one.value))
        if button is not None and button.name:
            pairs.append((button.name, button.value))
        return pairs


@dataclass
class Link:
    """Where one may go."""

    to: str
    words: str
    folded: bool


class Page:
    """A page that was read."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.texts: list[str] = []
        self.forms: list[Form] = []
        self.links: list[Link] = []
        self.lists: dict[str, list[str]] = {}
        self._read(html)

    def _read(self, html: str) -> None:
        named: dict[str, Form] = {}
        elsewhere: list[tuple[str, Control]] = []
        stack: list[tuple[str, bool, bool]] = []
        hidden = folded = False
        form: Form | None = None
        menu: Control | None = None
        held: Control | Link | None = None
        options = ""
        silent = ""
        for found in TOKEN.finditer(html):
            close, tag, more, text = found.groups()
            if text is not None:
                words = text.strip()
                if words and not silent:
                    said = " ".join(unescape(words).split())
                    self.texts.append(said)
                    if menu is not None and menu.options and menu.options[-1][1] == "":
                        menu.options[-1] = (menu.options[-1][0], said)
                    elif held is not None:
                        held.words = f"{held.words} {said}".strip()
                continue
            if tag is None:
                continue
            if close:
                while stack:
                    last, hidden, folded = stack.pop()
                    if last == tag:
                        break
                if tag == "form":
                    form = None
                elif tag in ("button", "a"):
                    held = None
                elif tag == "select":
                    menu = None
                elif tag == "datalist":
                    options = ""
                elif tag == silent:
                    silent = ""
                continue
            single = tag in EMPTY or more.endswith("/")
            if not single:
                stack.append((tag, hidden, folded))
            if tag in SILENT:
                silent = tag
            at = attributes(more) if more and not more.isspace() else {}
            self.texts += [unescape(at[name]) for name in SAID if at.get(name)]
            if single:
                at.pop("hidden", "")
            elif "hidden" in at or tag in BLIND or "popover" in at or (tag == "dialog" and "open" not in at):
                hidden = True
            elif tag == "details" and "open" not in at:
                folded = True
            elif tag == "summary":
                folded = stack[-2][2] if len(stack) > 1 and stack[-2][0] == "details" else folded
            if tag not in READ:
                continue
            if tag == "form":
                form = Form(unescape(at.get("action", "")), at.get("method", "get"),
                            "change" in at.get("hx-trigger", ""), hidden, folded, at.get("data-faces", ""))
                self.forms.append(form)
                if "id" in at:
                    named[at["id"]] = form
            elif tag == "a" and "href" in at:
                held = Link(unescape(at["href"]), "", folded)
                if not hidden:
                    self.links.append(held)
            elif tag == "datalist":
                options = at.get("id", "")
                self.lists[options] = []
            elif tag == "option":
                value = unescape(at.get("value", ""))
                if options:
                    self.lists[options].append(value)
                elif menu is not None and "disabled" not in at:
                    menu.options.append((value, ""))
                    if "selected" in at or len(menu.options) == 1:
                        menu.value = value
            elif tag in ("input", "button", "select", "textarea"):
                one = Control(
                    tag, at.get("type", {"button": "submit", "input": "text"}.get(tag, tag)), unescape(at.get("name", "")),
                    unescape(at.get("value", "on" if at.get("type") == "checkbox" else "")), "checked" in at,
                    "disabled" not in at, hidden, folded, "required" in at or at.get("aria-required") == "true",
                    at.get("min", ""), at.get("max", ""), unescape(at.get("placeholder", "")),
                    suggested=at.get("list", ""), words=unescape(at.get("aria-label", "")),
                )
                if tag == "select":
                    menu = one
                elif tag == "button":
                    held = one
                if "form" in at:
                    elsewhere.append((at["form"], one))
                elif form is not None:
                    form.controls.append(one)
        for where, one in elsewhere:
            if where in named:
                named[where].controls.append(one)

    def about(self, number: int) -> list[Form]:
        """The forms about an act."""
        return [form for form in self.forms if form.held("number") == str(number)]

    @property
    def objection(self) -> str:
        """What the rules have against an act as it stands, where the page says so instead of letting it go on."""
        found = re.search(r'class="[^"]*\brefused\b[^"]*"[^>]*>([^<]+)<', self.html)
        return " ".join(unescape(found[1]).split()) if found else ""

    @property
    def alert(self) -> str:
        """What a page that says no says."""
        found = re.search(r'role="alert"[^>]*>([^<]+)<', self.html)
        return " ".join(unescape(found[1]).split()) if found else ""


def attributes(words: str) -> dict[str, str]:
    """The attributes of a tag, as written."""
    return {name: one or other or bare or "" for name, one, other, bare in ATTRIBUTE.findall(words)}


def encoded(pairs: list[tuple[str, str]]) -> bytes:
    """A form as it goes over the wire."""
    return urlencode(pairs).encode()
