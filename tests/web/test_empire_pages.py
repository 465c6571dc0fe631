"""Empire galactique through its pages and forms, without a browser."""

import re

from starlette.testclient import TestClient

from .conftest import say
from .test_friday import Guest, client, link_in, opens

__all__ = ["client"]


def card(who: Guest) -> str:
    """The card of the first evening, as somebody's page has it; empty where there is none."""
    found = re.search(r'<details class="first-evening".*?</details>', who.reads(), re.DOTALL)
    return found[0] if found else ""


def test_a_first_evening_is_led_by_a_card_from_the_quick_rule_to_the_full_ones(client: TestClient) -> None:
    ana = opens(client, "empire")
    bob = Guest(client, link_in(ana.invites("Bob")))
    assert say("web.evening.title") in card(ana)
    assert " open" not in card(ana)  # a line, no more, before anybody asked for it
    assert card(bob) == ""
    ana.sends("/do/options", **{"option:ruleset": "quick"})
    assert say("web.evening.done", n=1, all=5) in card(ana)
    assert "chaque joueur" not in card(bob)
    assert "Un nom, deux dés" in card(bob)
    assert f'href="{bob.base}/start/quick-character"' in card(bob)
    ana.sends("/do/options", **{"option:ruleset": "full"})
    assert say("web.evening.done", n=1, all=5) in card(bob)  # what was chosen once stays behind the group


def test_under_the_quick_rule_people_of_two_qualities_are_brought_before_any_other(client: TestClient) -> None:
    ana = opens(client, "empire")
    bob = Guest(client, link_in(ana.invites("Bob")))

    def order() -> list[str]:
        marks = r'<div class="(cards)">|name="move" value="([\w-]+)"'
        return ["".join(found) for found in re.findall(marks, bob.reads("/new"))]

    assert order() == ["cards", "roll-characteristics"]
    ana.sends("/do/options", **{"option:ruleset": "quick"})
    assert order() == ["quick-character", "cards"]


def test_a_table_that_plays_on_its_own_is_led_by_no_card(client: TestClient) -> None:
    ana = opens(client, "empire")
    ana.sends("/do/record", ready="bastien")
    bastien = re.findall(r'id="sheet-(\w+)"', ana.reads())[0]
    ana.sends("/do/start", move="skill-test", **{"cast:initiator": bastien})
    assert card(ana) == ""


def test_other_games_have_their_own_first_evening_or_none(client: TestClient) -> None:
    assert card(opens(client, "conteur")) == ""


def test_what_draws_a_sector_is_not_offered_to_be_shown(client: TestClient) -> None:
    """Its dice are its seed: one tap would tell every square."""
    ana = opens(client, "empire")
    ana.sends("/do/start", move="generate-sector", **{"f:gm:name": "Marges"})
    drawn = ana.sends("/do/throw", number=1, nonce="")
    assert "Le secteur est tracé" in drawn
    assert say("web.gm.unseen") in drawn
    assert f'action="{ana.base}/do/turn-over"' not in drawn


def test_what_is_about_nobody_whom_the_players_know_is_not_offered_to_be_shown(client: TestClient) -> None:
    """One tap said « le meneur montre le jet », and nobody was told anything."""
    ana = opens(client, "empire")
    bob = Guest(client, link_in(ana.invites("Bob")))
    ana.sends("/do/start", move="generate-sector", **{"f:gm:name": "Marges", "f:gm:seed": "ourmansk"})
    ana.sends("/do/throw", number=1, nonce="")
    ana.sends("/do/accept", number=1)
    marges = re.findall(r'id="sheet-(\w+)"', ana.reads())[-1]
    ana.sends("/do/start", move="open-world", **{"cast:sector": marges, "f:gm:square": "0403"})
    opened = ana.sends("/do/throw", number=2, nonce="")
    assert "Monde habité" in opened
    assert f'action="{ana.base}/do/turn-over"' not in opened
    ana.sends("/do/turn-over", number=2, step="open")
    assert "Monde habité" not in bob.reads()


def test_a_choice_is_kept_while_something_needed_is_still_empty(client: TestClient) -> None:
    """A browser sends no form in which a required cell is empty: « commission » was touched, and no reward asked."""
    ana = opens(client, "empire")
    ana.sends("/do/start", move="write-rumour")

    def form() -> str:
        found = re.search(r'<form[^>]*id="fill-1-gm".*?</form>', ana.reads(), re.DOTALL)
        assert found
        return found[0]

    assert 'hx-trigger="change, submit"' in form()
    assert 'aria-required="true"' in form()
    assert not re.search(r'(?<!aria-)required(?!=)', form())
    ana.sends("/do/fill", number=1, **{"f:gm:card_kind": "errand", "f:gm:card_text": ""})
    assert 'name="f:gm:reward"' in form()
    assert 'name="f:gm:card_true"' not in form()
