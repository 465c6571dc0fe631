"""What an action costs in taps: people with browsers play it, every tap and every chosen value is counted.

A tap or a submitted field counts one; typing is free. A row of :data:`BUDGET` says what somebody may pay at most; what
was paid is printed as a table at the end of the run. People find controls as they stand on the page: a visible, enabled
button of a form that does what they want. Where an act waits is read from the table; whatever is done is done by taps.
"""

import re
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from playwright.sync_api import TimeoutError as Late

from .conftest import PATIENCE, Person, Table

LONGEST = PATIENCE / 1000
"""How many seconds a state may be waited for before a row fails; nothing ever waits that long."""


SOON = 3000
"""How many milliseconds something that was just seen may take to be pressed: it may have gone meanwhile."""


class Row(NamedTuple):
    """What something costs at most: a player's taps and a game master's."""

    words: str
    player: int
    gm: int


BUDGET = {
    "test": Row("a test from a suggestion or the sheet", 2, 1),
    "secret": Row("a test of secret difficulty, and what is told", 3, 3),
    "composed": Row("a test composed from nothing", 5, 1),
    "asked": Row("a test that the game master asks for", 2, 3),  # the skill is the player's to name, then the dice
    "blow": Row("an exchange of blows, each fighter", 3, 3),
    "argument": Row("an exchange of arguments, each speaker", 3, 3),
    "struck": Row("a wound after a blow", 0, 1),
    "wound": Row("a wound out of the blue", 1, 3),  # whoever is hurt may have a word, where the rules give one
    "brutes": Row("three brutes come in and there is a fight", 0, 4),
    "sealed": Row("an exchange against three brutes", 1, 3),
    "turn": Row("the turn is given", 0, 1),
    "round": Row("the next round", 0, 1),
    "scene": Row("the end of a scene for everyone", 0, 2),
    "night": Row("a night passes", 1, 2),
    "accept": Row("a character is accepted", 0, 1),
    "join": Row("to join and take a ready-made character", 3, 0),
    "undo": Row("the last thing is undone", 0, 1),
}


class Hand:
    """Somebody at a page, whose taps are counted."""

    def __init__(self, person: Person, gm: bool = False) -> None:
        self.person, self.gm = person, gm
        self.taps: list[str] = []
        """What was pressed or chosen, in its words."""

    @property
    def page(self) -> Any:
        return self.person.page

    def tap(self, what: Any, within: float = PATIENCE) -> None:
        """Press something that is there to be pressed."""
        words = " ".join(what.inner_text(timeout=within).split())[:40]
        what.click(timeout=within)
        self.taps.append(words)

    def taps_on(self, selector: str, **more: Any) -> None:
        """Press the first such thing that can be seen."""
        self.tap(self.page.locator(selector, **more).locator("visible=true").first)

    def taps_word(self, words: str | re.Pattern[str]) -> None:
        """Press the button or link of these words, or the fold of that name."""
        role = self.page.get_by_role("button", name=words).or_(self.page.get_by_role("link", name=words))
        self.tap(role.or_(self.page.locator("summary").filter(has_text=words)).locator("visible=true").first)

    def chooses(self, control: Any, at: int = 1) -> None:
        """Choose one of a list: one submitted field."""
        self.taps.append("".join(control.select_option(index=at)))

    @property
    def seen(self) -> Any:
        return self.person.view


class Counting:
    """A table whose people are counted."""

    def __init__(self, table: Table, players: Iterable[Person]) -> None:
        self.table = table
        self.gm = Hand(table.gm(), gm=True)
        self.players = [Hand(person) for person in players]

    @property
    def hands(self) -> list[Hand]:
        return [self.gm, *self.players]

    def from_here(self) -> None:
        """Whatever was tapped before does not count."""
        for hand in self.hands:
            hand.taps.clear()

    def goes_on(self, until_settled: bool = False, only: Iterable[str] = ()) -> None:
        """Everybody who is awaited presses what is there for them, until nothing waits or only consequences do.

        Where something goes on by itself, what ``only`` names is gone through, by the game master's numbers.
        """
        for _ in range(24):
            before = self._stands()
            waiting = [(hand, move) for hand in self.hands for number, move in hand.seen["moves"].items()
                       if (not only or number in only)
                       and (hand.person.seat in move["waits_for"] or (hand.gm and move["phase"] == "settled"))
                       and not (until_settled and move["phase"] == "settled")]
            if not waiting:
                return
            self._presses(*waiting[0], before, only)
        raise AssertionError("it does not end")

    def _presses(self, hand: Hand, move: Any, before: Any, only: Iterable[str]) -> None:
        until(hand.page, lambda: self._pressed(hand, only) or self._stands() != before,
              f"{hand.person.name} is awaited and has nothing to press: {move['move']}")
        until(hand.page, lambda: self._stands() != before, f"nothing came of it: {move['move']}")

    def _pressed(self, hand: Hand, only: Iterable[str]) -> bool:
        """Whether the bar had something to press for the one who is awaited, and it was; what is drawn anew while a
        hand goes there is looked for again."""
        try:
            return self._finds_and_presses(hand, only)
        except Late:
            return False

    def _finds_and_presses(self, hand: Hand, only: Iterable[str]) -> bool:
        asked = hand.page.locator("#yours.mine .asked").locator("visible=true").first
        ways = (".judge .usual:enabled", ".main:not(:disabled)", "button:enabled")
        found = next((way for way in ways if asked.locator(way).locator("visible=true").count()), "")
        if not found:
            return False
        number = (asked.get_attribute("id", timeout=SOON) or "").rpartition("-")[2]
        button = hand.page.locator(f"#yours-{number}").locator(found).locator("visible=true").first
        if only and number not in only:
            return False  # dice that were ordered fell meanwhile, and the next thing is asked already
        brings = button.get_attribute("data-brings", timeout=SOON)
        if brings:
            return self._says(hand, hand.page.locator(f'[id="{brings}"]'))
        needed = hand.page.locator(f"#move-{number}").locator("[aria-required=true], input[required]")
        for control in needed.locator("visible=true").all():
            if not control.input_value():
                self._says(hand, control)
        hand.tap(button, SOON)
        return True

    def says(self, hand: Hand, field: str) -> None:
        """Say something in a field of the only card, wherever its control stands: there, or in the bar."""
        before = self._stands()
        awaited = hand.person.bar.locator(f"button[name$=':{field}']")
        control = hand.page.locator(f".move [id^='f-'][id$='-{field}']").or_(awaited)
        self._says(hand, control.locator("visible=true").first)
        until(hand.page, lambda: self._stands() != before, f"nothing came of it: {field}")

    @staticmethod
    def _says(hand: Hand, field: Any) -> bool:
        """Say something in a field of a card: the first of a list or of some tiles, or a number that is typed."""
        tag = field.evaluate("(e) => e.localName")
        if tag == "select":
            hand.chooses(field)
        elif tag == "button":
            hand.tap(field)
        elif tag == "input":
            field.fill("1")
            field.blur()
        else:
            offered = "label:has(input:not(:checked)), button:enabled"
            hand.tap(field.locator(offered).locator("visible=true").first)
        return True

    def _stands(self) -> Any:
        return [hand.seen["moves"] for hand in self.hands]


def until(page: Any, is_so: Callable[[], bool], otherwise: str = "nothing came of it") -> None:
    """Wait until something is so; the page goes on meanwhile."""
    latest = time.monotonic() + LONGEST
    while not is_so():
        assert time.monotonic() < latest, otherwise
        page.wait_for_timeout(50)


def counted(record: Callable[[str, object], None], row: str, game: str, evening: Counting) -> None:
    """Keep what a row cost the costliest player and the game master, for the table at the end; above it fails."""
    most = BUDGET[row]
    player = max((hand.taps for hand in evening.players), key=len, default=[])
    master = evening.gm.taps
    record("budget", [most.words, game, len(player), most.player, len(master), most.gm])
    assert len(player) <= most.player, f"{most.words}: a player pays {len(player)}, at most {most.player}: {player}"
    assert len(master) <= most.gm, f"{most.words}: the game master pays {len(master)}, at most {most.gm}: {master}"


class FallingAs:
    """Dice that fall as a test says: so many of so many sides."""

    def __init__(self, fall: Callable[[int, int], tuple[int, ...]]) -> None:
        self.fall = fall

    def throw(self, role: str, n: int, sides: int) -> tuple[int, ...]:
        return self.fall(n, sides)

    def skip(self, n: int, sides: int) -> None:
        return None

    def stream(self, name: str) -> "FallingAs":
        return self
