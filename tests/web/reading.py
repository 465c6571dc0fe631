"""A page as a person meets it: the words it says, its links, its forms with what may be chosen in them.

No browser: our pages are well formed, so one pass over the tags is enough. What is inside a closed fold can still be
reached by a tap (``folded``); what is hidden, for a dialogue that is shut or for those without a script, cannot.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from urllib.parse import urlencode

TOKEN = re.compile(
    r"<!--.*?-->|<!\w[^>]*>|<svg\b.*?</svg>"
    r"|<(/?)([a-zA-Z][\w:-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>|([^<]+)", re.DOTALL)
ATTRIBUTE = re.compile(r"([\w:@.-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
EMPTY = frozenset({"input", "meta", "link", "br", "img", "hr", "source", "wbr"})
UNSAID = re.compile(r"<!--.*?-->|<(script|style|code)\b.*?</\1>", re.DOTALL)
"""What is in a page and not for people to read."""
SAID = re.compile(r">([^<]*[^<\s][^<]*)<|\b(?:title|placeholder|aria-label|alt|label|data-sure)=\"([^\"]+)\"")
"""Words between tags, and in the attributes that people read or hear."""
SHAPES = re.compile(r"\bhidden\b|\bpopover\b|\bopen\b")
BLIND = frozenset({"noscript", "template"})
READ = frozenset({"form", "input", "button", "select", "option", "textarea", "a", "datalist"})


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
    def offers(self) -> bool:
        """Whether it says what may be chosen: anything else has to be typed."""
        return bool(self.options or self.suggested or (self.lowest and self.highest))

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

    @cached_property
    def texts(self) -> set[str]:
        """Whatever it says."""
        found = SAID.findall(UNSAID.sub("", self.html))
        return {" ".join(unescape(between or inside).split()) for between, inside in found}

    @cached_property
    def forms(self) -> list[Form]:
        """Its forms."""
        return self._read[0]

    @cached_property
    def links(self) -> list[Link]:
        """Its links."""
        return self._read[1]

    @cached_property
    def lists(self) -> dict[str, list[str]]:
        """The words at hand for its inputs, by the name of their list."""
        return self._read[2]

    @cached_property
    def _read(self) -> tuple[list[Form], list[Link], dict[str, list[str]]]:
        forms: list[Form] = []
        links: list[Link] = []
        lists: dict[str, list[str]] = {}
        named: dict[str, Form] = {}
        elsewhere: list[tuple[str, Control]] = []
        stack: list[tuple[str, bool, bool]] = []
        hidden = folded = False
        form: Form | None = None
        menu: Control | None = None
        held: Control | Link | None = None
        poured: Control | None = None
        options = ""
        for found in TOKEN.finditer(UNSAID.sub("", self.html)):
            close, tag, more, text = found.groups()
            if text is not None:
                if poured is not None:
                    poured.value = unescape(text)
                if (menu is None and held is None) or text.isspace():
                    continue
                said = " ".join(unescape(text).split())
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
                elif tag == "textarea":
                    poured = None
                elif tag == "datalist":
                    options = ""
                continue
            single = tag in EMPTY or more.endswith("/")
            if not single:
                stack.append((tag, hidden, folded))
            read = tag in READ
            at = attributes(more) if read or SHAPES.search(more) else {}
            if single:
                at.pop("hidden", "")
            elif "hidden" in at or tag in BLIND or "popover" in at or (tag == "dialog" and "open" not in at):
                hidden = True
            elif tag == "details" and "open" not in at:
                folded = True
            elif tag == "summary":
                folded = stack[-2][2] if len(stack) > 1 and stack[-2][0] == "details" else folded
            if not read:
                continue
            if tag == "form":
                form = Form(unescape(at.get("action", "")), at.get("method", "get"),
                            "change" in at.get("hx-trigger", ""), hidden, folded, at.get("data-faces", ""))
                forms.append(form)
                if "id" in at:
                    named[at["id"]] = form
            elif tag == "a" and "href" in at:
                held = Link(unescape(at["href"]), "", folded)
                if not hidden:
                    links.append(held)
            elif tag == "datalist":
                options = at.get("id", "")
                lists[options] = []
            elif tag == "option":
                value = unescape(at.get("value", ""))
                if options:
                    lists[options].append(value)
                elif menu is not None and "disabled" not in at:
                    menu.options.append((value, ""))
                    if "selected" in at or len(menu.options) == 1:
                        menu.value = value
            elif tag in ("input", "button", "select", "textarea"):
                one = Control(
                    tag, at.get("type", {"button": "submit", "input": "text", "textarea": "text"}.get(tag, tag)),
                    unescape(at.get("name", "")),
                    unescape(at.get("value", "on" if at.get("type") == "checkbox" else "")), "checked" in at,
                    "disabled" not in at, hidden, folded, "required" in at or at.get("aria-required") == "true",
                    at.get("min", ""), at.get("max", ""), unescape(at.get("placeholder", "")),
                    suggested=at.get("list", at.get("data-ideas", "")), words=unescape(at.get("aria-label", "")),
                )
                if tag == "select":
                    menu = one
                elif tag == "textarea":
                    poured = one
                elif tag == "button":
                    held = one
                    if "data-writes" in at:
                        lists.setdefault(at["data-writes"], []).append(one.value)
                if "form" in at:
                    elsewhere.append((at["form"], one))
                elif form is not None:
                    form.controls.append(one)
        for where, one in elsewhere:
            if where in named:
                named[where].controls.append(one)
        return forms, links, lists

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
