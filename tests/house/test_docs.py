"""Every example in the documentation runs, every link leads somewhere, and the built site asks nothing of outside.

The ``python`` blocks of a page are one session, read from top to bottom: a block with ``>>>`` is compared with what it
shows, the others are simply run.
"""

import dataclasses
import doctest
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)[^)]*\)")


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """The ``python`` blocks of a page, each with the line where its code starts."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        if found["language"] == "python":
            indent = len(found["indent"])
            code = "".join(line[indent:] for line in found["code"].splitlines(keepends=True))
            yield text.count("\n", 0, found.start("code")) + 1, code


@pytest.mark.parametrize("page", [page for page in PAGES if any(blocks(page))], ids=page_name)
def test_the_examples_of_a_page_run(page: Path) -> None:
    session: dict[str, object] = {"__name__": "__page__"}
    for line, code in blocks(page):
        if ">>>" in code:
            example = doctest.DocTestParser().get_doctest(code, session, page_name(page), str(page), line - 1)
            shown: list[str] = []
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
            runner.run(example, out=shown.append, clear_globs=False)
            session = example.globs
            assert shown == [], "".join(shown)
        else:
            exec(compile("\n" * (line - 1) + code, page, "exec"), session)


def test_every_picture_of_an_evening_is_shown_in_both_languages() -> None:
    kept = {f"images/evenings/{one.name}" for one in (ROOT / "docs" / "images" / "evenings").iterdir()}
    for page in ("evenings.md", "evenings.en.md"):
        assert set(re.findall(r"\]\((images/evenings/[^)]+)\)", (ROOT / "docs" / page).read_text("utf-8"))) == kept


@pytest.mark.parametrize("name", ["adding-a-game", "evenings", "gm-guide", "playing"])
def test_a_page_in_english_is_as_complete_as_in_french(name: str) -> None:
    french, english = ((ROOT / "docs" / f"{name}{ending}").read_text(encoding="utf-8") for ending in (".md", ".en.md"))
    assert _outline(english) == _outline(french)


def _outline(text: str) -> list[str]:
    """What a page is made of, whatever its language: headings by depth, and blocks by theirs."""
    return re.findall(r"^(#+(?= )|```\w+)", text, re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The headings of a page as MkDocs names them in addresses."""
    from markdown.extensions.toc import slugify

    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {slugify(re.sub(r"[`*_]", "", title), "-") for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    broken = []
    for found in LINK.finditer(FENCE.sub("", page.read_text(encoding="utf-8"))):
        address = urlsplit(found["target"])
        if address.scheme:
            continue
        target = page.parent / unquote(address.path) if address.path else page
        if not target.exists() or (address.fragment and address.fragment not in anchors(target)):
            broken.append(found["target"])
    assert broken == []


DECLARING = (ROOT / "docs" / "declaring.md").read_text(encoding="utf-8")


def listed(heading: str) -> dict[str, set[str]]:
    """A table of the page: what its first column names, with what its second does."""
    rows = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", DECLARING, re.MULTILINE)
    assert rows is not None
    cells = [row.split(" | ") for row in rows[1].splitlines()]
    return {name: set(re.findall(r"`([^`]+)`", row[1])) for row in cells for name in re.findall(r"`([^`]+)`", row[0])}


def catalogues() -> Iterator[dict[str, dict[str, object]]]:
    """The words of every game, ours and the stranger's, file by file."""
    for place in (ROOT / "src" / "paravent" / "systems", ROOT / "examples" / "fanal" / "src"):
        yield from (tomllib.loads(file.read_text(encoding="utf-8")) for file in place.rglob("text/*.toml"))


def test_every_section_of_words_that_is_read_is_listed_and_none_besides() -> None:
    house = [file.read_text(encoding="utf-8") for file in (ROOT / "src" / "paravent").rglob("*")
             if file.suffix in (".py", ".html") and "systems" not in file.parts]
    listed_ones = {re.split(r"[.\]]", name.strip("["))[0] for name in listed("section")}
    known = listed_ones | {name for words in catalogues() for name in words}
    called = re.compile(rf"[\"']({'|'.join(sorted(known))})\.(?!html)")
    # values of an error may have words of their own
    of_errors = re.compile(r"case \((.*)\), str\(\):|\(\"needs\", ")
    read = {found[1] for text in house for found in called.finditer(text)}
    read |= {name for text in house for found in of_errors.finditer(text) for name in re.findall(r'"(\w+)"', found[0])}
    assert read == listed_ones


@pytest.mark.parametrize("section", ["moves", "fields", "system"])
def test_every_key_of_words_is_listed(section: str) -> None:
    keys = {name.strip("[]").split(".")[0]: keys for name, keys in listed("section").items()}[section]
    written = {name: told for words in catalogues() for name, told in words.get(section, {}).items()}
    entries = [written] if section == "system" else [one for one in written.values() if isinstance(one, dict)]
    assert {name for one in entries for name, told in one.items() if isinstance(told, str)} <= keys


def test_all_of_a_field_that_may_depend_on_the_context_is_listed() -> None:
    from paravent.game import fields, shapes
    from paravent.game.move import Field

    kinds = [Field, *(kind for room in (fields, shapes) for kind in vars(room).values()
                      if dataclasses.is_dataclass(kind) and kind.__module__ == room.__name__)]
    depends = {(kind.__name__, part.name) for kind in kinds for part in dataclasses.fields(kind)
               if "Callable[[Context]" in str(part.type) or str(part.type).startswith("Options[")}
    told = {(name.partition("(")[0], part) for name in listed("of a field")
            for part in name.partition("(")[2].strip(")").split(", ")}
    assert told == depends


def test_every_key_of_look_is_listed_and_read() -> None:
    from paravent.game.system import LOOKS

    assert set(listed("key of `System.look`")) == LOOKS
    pages = (ROOT / "src" / "paravent" / "web" / "looks.py").read_text(encoding="utf-8")
    assert set(re.findall(r"look\.get\(\"(\w+)\"", pages)) == LOOKS


class Assets(HTMLParser):
    """The addresses that a browser fetches by itself when it opens a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") == "canonical":
            return
        names = {"link": ["href"], "a": []}.get(tag, ["src", "srcset", "data", "poster", "action"])
        self.found += [given[name] for name in names if name in given]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("site")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(built)],
        cwd=ROOT, capture_output=True, text=True,
    )
    assert run.returncode == 0, run.stderr
    return built


@pytest.mark.needs("docs")
def test_the_built_site_asks_nothing_of_outside(site: Path) -> None:
    outside = re.compile(r"^(https?:)?//")
    fetched: list[tuple[str, str]] = []
    for page in site.rglob("*.html"):
        assets = Assets()
        assets.feed(page.read_text(encoding="utf-8"))
        fetched += [(page.name, address) for address in assets.found if outside.match(address)]
    for sheet in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = sheet.read_text(encoding="utf-8")
        addresses = re.findall(r"url\(['\"]?([^'\")]+)", text) + re.findall(r"@import ['\"]([^'\"]+)", text)
        fetched += [(sheet.name, address) for address in addresses if outside.match(address)]
    assert fetched == []


@pytest.mark.needs("docs")
def test_the_site_is_searched_from_the_disk_too(site: Path) -> None:
    """A browser lets a page on the disk fetch nothing: the index comes as a script, which every page can load."""
    index = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    assert json.loads(index.removeprefix("searchIndex = ").removesuffix(";"))["docs"]
    script = re.compile('<script src="([^"]*from-disk.js)">')
    for page in {*site.rglob("*.html")} - {site / "404.html"}:
        found = script.search(page.read_text(encoding="utf-8"))
        assert found is not None
        assert (page.parent / found[1]).is_file()
    for name in re.findall(r'"([\w.]+\.js)"', (site / "js" / "from-disk.js").read_text(encoding="utf-8")):
        assert (site / "search" / name).is_file()


@pytest.mark.needs("docs")
def test_every_page_is_built(site: Path) -> None:
    pages = {page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md")}
    built = {page.relative_to(site).with_suffix("") for page in site.rglob("*.html")}
    assert pages <= built


@pytest.mark.needs("docs")
def test_all_that_may_be_called_stands_in_the_reference_and_can_be_searched_for(site: Path) -> None:
    import importlib

    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    separator = json.loads(index)["config"]["separator"]
    assert "highest_of" in re.split(separator, "keep = dice.highest_of(3, 1, blow)")
    for room in ("paravent.dice", "paravent.game", "paravent.table"):
        page = (site / "reference" / f"{room}.html").read_text(encoding="utf-8")
        missing = [name for name in importlib.import_module(room).__all__ if f">{name}<" not in page]
        assert missing == []
        assert f"reference/{room}.html" in index


def test_the_reference_says_what_each_attribute_is_for_and_its_default_and_no_place_in_memory() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import reference; [print(reference.page(room)) for room in reference.ROOMS]"],
        cwd=ROOT / "tools", capture_output=True, text=True, check=True, encoding="utf-8").stdout
    assert "- `auto`: A rule without dice" in told
    assert "Special type indicating" not in told  # an alias of types says what it is for, not what it is made of
    silent = [words.split("\n")[0] for words in re.split(r"(?m)^## ", told)[1:]
              if not re.search(r"[a-z]", re.sub(r"(?s)```text.*?```|^### .*", "", words.partition("\n")[2]))]
    assert silent == []
    assert "    secrecy: str = 'open',\n" in told
    assert not re.search(r" at 0x[0-9a-f]{6}|ForwardRef|`[^`\n]*&lt;", told)
