"""Solaires by its pages and forms, without a script: a character written, corrected, and drawn on from its own text."""

import html
import json
import re

from starlette.testclient import TestClient

from paravent.store import open_log
from paravent.web.app import create_app

from .conftest import say, titled
from .test_friday import Guest, client, link_in, opens

__all__ = ["client"]
MANY = {"careers": 8, "traits": 8, "relations": 4, "equipment": 6}


def around(client: TestClient) -> tuple[Guest, Guest]:
    """A game master and Léa, at a table of Solaires."""
    ana = opens(client, "solaires")
    return ana, Guest(client, link_in(ana.invites("Léa")))


def brought(who: Guest, name: str) -> str:
    """The sheet of that name on somebody's page."""
    found = re.search(rf'id="sheet-(\w+)"(?:(?!id="sheet-).)*?{name}', who.reads(), re.S)
    assert found
    return found[1]


def test_twenty_six_elements_are_written_without_a_script_and_let_in_by_one_word(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/start", move="create-character")
    number, actor = re.search(r"write/character\?move=(\d+)&actor=(\w+)", lea.reads()).groups()  # type: ignore[union-attr]
    page = lea.reads(f"/write/character?move={number}&actor={actor}&field=sheet")
    assert "data-picking" in page  # shown by the script alone
    assert page.index("part-description") < page.index("part-careers")  # one tells, then draws
    sheet = f"sheet:{actor}:sheet:"
    rows = {f"{sheet}r:{part}:{at}:{cell}": value for part, many in MANY.items() for at in range(many)
            for cell, value in (("name", f"{part} {at}"), ("score", "2"))}
    blank = {f"{sheet}r:equipment:{at}:quantity": "" for at in range(6)}
    lea.sends("/do/fill", number=number, **{f"s:{actor}:sheet": "1", f"{sheet}v:name": "Ressac",
              f"{sheet}v:concept": "Récupératrice"}, **rows, **blank)
    assert lea.status == 200
    ana.sends("/do/answer", number=number, answer="agree")
    kept = lea.reads(f"/record/{brought(lea, 'Ressac')}")
    assert kept.count('"score"') == 26
    assert '"quantity": 1' in kept or '"quantity":1' in kept  # a blank quantity is the usual one
    assert '"quantity": 0' not in kept


def test_a_sheet_is_corrected_whole_or_not_at_all(client: TestClient) -> None:
    _, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    before = lea.reads(f"/record/{record}")
    lea.sends("/do/sheet", record=record, **{"v:gender": "fluide", "v:name": " "})  # nobody is without a pseudonym
    assert lea.status == 422
    assert lea.reads(f"/record/{record}") == before
    lea.sends("/do/sheet", record=record, **{"v:gender": "fluide", "v:concept": "Autre chose"})
    after = lea.reads(f"/record/{record}")
    assert "fluide" in after
    assert "Autre chose" in after


def test_words_drawn_later_are_touched_in_the_owner_s_own_text_and_applied_at_once(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    card = lea.sends("/do/start", move="extract-element", **{"cast:initiator": record})
    assert re.search(r"data-picking[\s>]", card)
    assert "professionnel" in card  # levels in words, list by list
    assert not re.search(r'<th scope="col">\s*Léger', card)  # each cell says its own
    picked = json.loads(html.unescape(re.findall(r"data-quoted='([^']*)'", card)[0]))
    assert [title for title, _ in picked] == ["Carrières", "Traits", "Relations", "Équipement"]  # as they are called
    assert not re.search(r"data-picking[\s>]", ana.reads())  # the text is asked of its owner
    number = re.findall(r'id="move-(\d+)"', lea.reads())[0]
    page = lea.sends("/do/fill", number=number, complete="1", **{
        f"f:{record}:words": "Pilote", f"x:{record}:category:score": "trait|3", f"f:{record}:element_name": "Têtu"})
    assert lea.status == 200
    assert "Têtu" in page
    assert "Têtu" in lea.reads(f"/record/{record}")
    assert "Têtu" in ana.reads()


def test_the_ladder_lights_where_the_dice_fall_and_its_secret_column_is_the_game_master_s(client: TestClient) -> None:
    ana, lea = around(client)
    ana.sends("/do/options", **{"option:edition": "v5"})
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record, f"f:{record}:goal": "accoster"})
    asked = ana.reads()
    assert asked.count('name="f:gm:effects.kept_') == asked.count('name="f:gm:secret_effects.kept_') == 4
    number = re.findall(r'id="move-(\d+)"', asked)[0]
    ana.sends("/do/fill", number=number, **{
        "f:gm:effects.kept_0": "le câble cède", "f:gm:secret_effects.kept_3": "Un badge; + un ami",
        "f:gm:intrinsic": "complex"})
    page = lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    assert f'name="f:{record}:second"' in page[:page.index(f'name="f:{record}:method"')]  # before what is folded
    for page, columns in ((lea.reads(), 2), (ana.reads(), 3)):
        ladder = page[page.index('<table class="ladder">'):page.index("</table>", page.index('<table class="ladder">'))]
        rows = re.findall(r"<tr[^>]*>.*?</tr>", ladder[ladder.index("<tbody>"):], re.S)
        assert [len(re.findall("<t[hd]", row)) for row in rows] == [columns] * 4
        assert "câble" in rows[3]
        assert ("Un badge" in rows[0]) == (columns == 3)
    assert "Un badge" not in lea.reads()
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="1 1 1")
    lea.sends("/do/answer", number=number, answer='"stop"')
    for who in (lea, ana):
        lit = re.findall(r'<tr class="lit"[^>]*>\s*<th scope="row">([^<]*)', who.reads())
        assert set(lit) == {"3 dés"}
    assert "Un badge" not in lea.reads()
    bar = ana.reads()
    assert "Garder pour plus tard" in bar
    later = max(re.findall(r'id="move-(\d+)"', bar), key=int)
    ana.sends("/do/fill", number=later, **{"f:gm:told_now": "reveal"})
    assert "Effet négatif\u00a0: Un badge. Effet positif\u00a0: un ami" in lea.reads()


def test_the_ladder_lights_as_soon_as_the_dice_land_while_points_are_still_considered(client: TestClient) -> None:
    ana, lea = around(client)
    bob = Guest(client, link_in(ana.invites("Bob")))
    ana.sends("/do/options", **{"option:edition": "v5"})
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record, f"f:{record}:goal": "accoster"})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:effects.kept_1": "un témoin", "f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="1 6 6")
    assert say("choices.spend.title", system="solaires") in lea.reads()
    for who in (lea, ana, bob):
        assert set(re.findall(r'<tr class="lit"[^>]*>\s*<th scope="row">([^<]*)', who.reads())) == {"1 dé"}


def test_the_game_master_touches_a_state_and_says_what_becomes_of_it(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_gained": "Essoufflé 1"})
    touch = f'name="cast:character" value="{record}"'
    assert touch in ana.reads()
    assert touch not in lea.reads()  # whoever is not the game master reads it
    assert "Essoufflé <b>1</b>" in lea.reads()
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_worse[]": "Essoufflé"})
    assert "Essoufflé <b>2</b>" in lea.reads()
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_eased[]": "Essoufflé"})
    assert "Essoufflé <b>1</b>" in lea.reads()
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_lost[]": "Essoufflé"})
    assert "Essoufflé <b>" not in lea.reads()


def test_one_state_more_is_written_on_its_chip_and_a_word_says_how_much_of_it(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    assert "+ état" in ana.reads()
    assert "+ état" not in lea.reads()
    levels = re.findall(r'name="f:gm:states_score" value="(\d)">([^<]*)', ana.reads())
    assert levels[:3] == [("1", "Léger"), ("2", "Important"), ("3", "Extrême")]
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_gained": "Aveuglé", "f:gm:states_score": "3"})
    assert "Aveuglé <b>3</b>" in lea.reads()
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_gained": "Sonné", "f:gm:states_score": "1"})
    assert not re.search(r"Sonné\s*(<[^>]*>\s*)*Sonné", lea.reads())  # named once where it is told


def test_a_scene_ends_once(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/edit", record=record, set="points=0")
    ana.sends("/do/scene", title="Le quai", kind="scene")
    ends = f">{say('web.gm.end_scene')}</button>"
    assert ends in ana.reads()
    ana.sends("/do/time", span="scene")
    assert '"points": 1' in lea.reads(f"/record/{record}").replace('":1', '": 1')
    assert ends not in ana.reads()  # there is nothing left to end


def test_how_a_difficulty_came_about_changes_no_byte_for_anybody_else() -> None:
    def seen(intrinsic: str, interest: str) -> list[list[str]]:
        with TestClient(create_app(open_log("memory:"))) as client:
            ana, lea = around(client)
            bob = Guest(client, link_in(ana.invites("Bob")))
            eve = Guest(client, link_in(ana.sends("/links", name="Eve", grade="spectator", once="")))
            lea.sends("/do/record", ready="cabestan")
            record = brought(lea, "Cabestan")
            lea.sends("/do/start", move="action", **{"cast:initiator": record, f"f:{record}:goal": "accoster"})
            number = re.findall(r'id="move-(\d+)"', lea.reads())[0]
            pages = []
            for step in (
                lambda: ana.sends("/do/fill", number=number, **{
                    "f:gm:intrinsic": intrinsic, "f:gm:scenario_interest": interest}),
                lambda: lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"}),
                lambda: lea.sends("/do/throw", number=number, by_hand="1"),
                lambda: lea.sends("/do/faces", number=number, faces="1 2 6"),
                lambda: lea.sends("/do/answer", number=number, answer='"stop"'),
            ):
                step()
                pages.append([anonymous(who.reads(path)) for who in (lea, bob, eve) for path in ("/", "/log")])
            assert "démentielle (−2)" in lea.reads()  # the sum, in words
            return [*pages, [anonymous(ana.reads())]]

    *one, gm_s = seen("absurd", "success_interesting")
    *other, gm_s_other = seen("insane", "neutral")
    for mine, theirs in zip(one, other, strict=True):
        for page, twin in zip(mine, theirs, strict=True):
            assert page.splitlines() == twin.splitlines()
    assert gm_s != gm_s_other


def anonymous(page: str) -> str:
    """Without what chance gives: the names of tables, seats, records and forms, and the hour."""
    return re.sub(r"[0-9a-f]{8,64}|\d{4}-\d\d-\d\dT[\d:.]+|\b\d\d(:\d\d)+|[\w-]{24,}", "…", page)


def bar(page: str) -> str:
    """What the bar of a page says."""
    found = re.search(r'<section id="yours".*?</section>', page, re.S)
    assert found
    return found[0]


def board(page: str) -> str:
    """The board of the only scene."""
    found = re.search(r'<section class="encounter".*?</section>', page, re.S)
    assert found
    return found[0]


def test_whoever_has_the_turn_reads_that_it_is_theirs_and_everybody_whose_it_is(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    ana.sends("/do/start", move="start-action-scene", **{"cast:participant": record})
    first = say("fields.first.title", system="solaires")
    assert first in ana.reads()
    assert first not in lea.reads()  # nobody reads who begins before it is said
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/throw", number=number)
    acted, its_turn = say("fields.acted.title", system="solaires"), say("web.turn.acting")
    for who in (ana, lea):
        assert its_turn in board(who.reads())
        assert acted not in board(who.reads())
    assert say("web.turn.theirs", who="Cabestan") in board(ana.reads())
    mine = say("web.turn.mine_as", who="Cabestan")
    assert mine in board(lea.reads())
    assert mine in bar(lea.reads())
    assert say("moves.action.title", system="solaires") in bar(lea.reads())  # what may be done is at hand
    assert say("web.yours.calm") not in bar(lea.reads())
    assert mine not in ana.reads()


def test_a_turn_that_was_used_is_the_game_masters_to_give_on(client: TestClient) -> None:
    ana, lea = around(client)
    bob = Guest(client, link_in(ana.invites("Bob")))
    lea.sends("/do/record", ready="cabestan")
    bob.sends("/do/record", ready="alidade")
    mine, other = brought(lea, "Cabestan"), brought(bob, "Alidade")
    ana.sends("/do/start", move="start-action-scene", **{"cast:participant": [mine, other], "f:gm:first": mine})
    ana.sends("/do/throw", number=re.findall(r'id="move-(\d+)"', ana.reads())[0])
    theirs = say("web.turn.theirs", who="Cabestan")
    for who in (ana, bob):  # whoever is awaited is named to all the others
        assert theirs in bar(who.reads())
    lea.sends("/do/start", move="action", **{"cast:initiator": mine, f"f:{mine}:goal": "accoster"})
    number = re.findall(r'id="yours-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    own = re.findall(r'id="yours-(\d+)"', lea.reads())[0]
    lea.sends("/do/fill", number=own, complete="1", **{f"f:{mine}:element": "3"})
    lea.sends("/do/throw", number=own, by_hand="1")
    lea.sends("/do/faces", number=own, faces="1 1 1")
    while choice := re.search(r'name="answer" value="&#34;stop&#34;"', bar(lea.reads())):
        assert choice
        lea.sends("/do/answer", number=own, answer='"stop"')
    if "/do/accept" in bar(ana.reads()):
        ana.sends("/do/accept", number=number)
    used = say("web.turn.given_on", who="Cabestan", gm="Ana")
    for who in (lea, bob):
        assert used in bar(who.reads())
        assert say("web.turn.acting") not in board(who.reads())
    assert say("web.turn.mine_as", who="Cabestan") not in lea.reads()
    gives = bar(ana.reads())
    assert say("web.turn.give_on", who="Cabestan") in gives
    assert say("web.turn.give_to", who="Alidade") in gives  # one tap, in the bar
    ana.sends("/do/start", move="next-to-act", encounter="1", at_once="1", **{"f:gm:next": other})
    assert say("web.turn.mine_as", who="Alidade") in bar(bob.reads())
    assert say("web.turn.theirs", who="Alidade") in bar(lea.reads())


def test_everybody_who_may_know_how_it_ended_sees_its_colour(client: TestClient) -> None:
    ana, lea = around(client)
    bob = Guest(client, link_in(ana.invites("Bob")))
    ana.sends("/do/options", **{"option:edition": "v5"})
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record, f"f:{record}:goal": "accoster"})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="6 6 6")
    lea.sends("/do/answer", number=number, answer='"stop"')
    for who in (ana, lea, bob):
        assert '<p class="outcome lost">' in who.reads()


def test_what_closes_a_scene_is_suggested_while_one_is_open(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    closes = 'start/end-scene'
    assert closes not in ana.reads()
    ana.sends("/do/scene", title="Le quai", kind="scene")
    assert closes in ana.reads()


def test_a_sheet_that_awaits_its_approval_is_said_to_be_with_the_game_master(client: TestClient) -> None:
    ana, lea = around(client)
    assert say("web.choose_character") in lea.reads()
    lea.sends("/do/start", move="create-character")
    number, actor = re.search(r"write/character\?move=(\d+)&actor=(\w+)", lea.reads()).groups()  # type: ignore[union-attr]
    assert say("web.choose_character") in lea.reads()  # nothing is written yet
    sheet = f"sheet:{actor}:sheet:"
    lea.sends("/do/fill", number=number, **{f"s:{actor}:sheet": "1", f"{sheet}v:name": "Ressac",
              f"{sheet}v:concept": "Récupératrice"})
    assert say("web.with_game_master") in lea.reads()
    assert say("web.choose_character") not in lea.reads()
    ana.sends("/do/answer", number=number, answer="agree")
    assert say("web.with_game_master") not in lea.reads()


def test_a_price_falls_with_the_use_that_it_was_for(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/edit", record=record, set="points=4")
    lea.sends("/do/start", move="spend-points", **{"cast:initiator": record, f"f:{record}:use": "flashback",
              f"f:{record}:text": "Un ami me l'avait dit"})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:cost": "3"})
    lea.sends("/do/fill", number=number, **{f"f:{record}:use": "link_story_element"})
    assert lea.status == 200
    assert say("web.waits_for", who="Ana") in lea.reads()
    assert say("fields.cost.title", system="solaires") in bar(ana.reads())  # the price is asked for anew
    ana.sends("/do/fill", number=number, **{"f:gm:cost": "2"})
    assert ana.status == 200


def test_whoever_cannot_pay_for_a_use_of_points_reads_what_it_would_cost(client: TestClient) -> None:
    _, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/edit", record=record, set="points=1")
    lea.sends("/do/start", move="spend-points", **{"cast:initiator": record})
    page = html.unescape(lea.reads())
    told = re.search(f'{say("web.not_now")} ([^<]*)', page)
    assert told
    assert "flashback (2 pt)" in told[1]
    assert "événement inattendu (4 pt)" in told[1]
    assert "cosmétique" not in told[1]
    assert 'value="flashback"' not in page  # nothing is offered that could only be refused


def test_a_text_that_is_too_long_is_refused_by_its_length(client: TestClient) -> None:
    _, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="spend-points", **{"cast:initiator": record})
    page = lea.sends("/do/fill", number=1, **{f"f:{record}:text": "x" * 501})
    assert lea.status == 422
    assert say("errors.form/too-long", field=say("fields.text.title", system="solaires"), n=501, most=500) in page


def test_while_the_difficulty_is_judged_everybody_reads_who_owes_an_element(client: TestClient) -> None:
    ana = opens(client, "solaires")
    lea, tom, eve = (Guest(client, link_in(ana.sends("/links", name=name, grade=grade, once="")))
                     for name, grade in (("Léa", "player"), ("Tom", "player"), ("Ève", "spectator")))
    cabestan = re.search(r'id="sheet-(\w+)"', lea.sends("/do/record", ready="cabestan"))
    assert cabestan
    page = lea.sends("/do/start", move="action", **{"cast:initiator": cabestan[1]})
    element = titled("fields.element", "solaires")
    assert say("web.waits_for_both", who="Ana", what=element) in page
    assert f'data-brings="f-1-{cabestan[1]}-element"' in page, "and is led there"
    assert 'class="yours mine"' not in page, "but nothing is asked beside the judgement"
    for other in (tom, eve):
        assert say("web.waits_for", who="Ana et Léa") in other.reads()
    page = lea.sends("/do/fill", number="1", **{f"f:{cabestan[1]}:element": "Têtue"})
    assert say("web.waits_for", who="Ana") in page
    for other in (tom, eve):
        assert say("web.waits_for", who="Ana et Léa") not in other.reads()
    ana.sends("/do/fill", number="1", **{"f:gm:intrinsic": "complex"})
    assert f'action="{lea.base}/do/throw"' in lea.reads()


def test_whoever_is_refused_their_elements_reads_so_until_they_say_others(client: TestClient) -> None:
    ana, lea = around(client)
    ana.sends("/do/options", **{"option:edition": "v5"})
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    refused = say("web.sent_back")
    assert refused not in html.unescape(lea.reads())
    lea.sends("/do/fill", number=number, **{f"f:{record}:element": "3", f"f:{record}:second": "2"})
    ana.sends("/do/answer", number=number, answer="refuse")
    assert refused in html.unescape(lea.reads())
    assert refused not in html.unescape(ana.reads())
    lea.sends("/do/fill", number=number, **{f"f:{record}:element": "3", f"f:{record}:second": "2"})
    assert refused not in html.unescape(lea.reads())
    ana.sends("/do/answer", number=number, answer="agree")
    assert "/do/throw" in lea.reads()


def test_only_what_stays_with_the_game_master_is_headed_as_behind_the_screen(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    screen, part = (re.compile(rf'<h4 class="screened">{re.escape(say(key))}</h4>') for key in (
        "web.gm_part", "web.gm.part"))
    lea.sends("/do/start", move="action", **{"cast:initiator": record})
    page = ana.reads()
    assert part.search(page)  # what success and failure mean, everybody reads
    assert not screen.search(page)
    assert say("web.secret_field") in page  # what is secret beside it says so
    lea.sends("/do/start", move="matrix-run", **{"cast:initiator": record})
    assert screen.search(ana.reads())  # its ice, and nothing else


def test_a_die_that_may_be_thrown_again_is_one_die_in_english_too(client: TestClient) -> None:
    ana = opens(client, "solaires", lang="en")
    lea = Guest(client, link_in(ana.invites("Léa")))
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="1 6 6")
    worth = re.findall(r"<small>([^<]*)</small>\s*</span>", lea.reads())
    assert {"kept", "discarded"} <= set(worth)
    assert "Dice kept" not in worth


def test_whoever_is_in_an_action_scene_is_not_offered_to_join_it(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record, joins = brought(lea, "Cabestan"), "start/join-action-scene"
    ana.sends("/do/start", move="start-action-scene", **{"cast:participant": record})
    ana.sends("/do/throw", number=re.findall(r'id="move-(\d+)"', ana.reads())[0])
    assert say("moves.leave-action-scene.title", system="solaires") in ana.reads()
    assert joins not in ana.reads()
    ana.sends("/do/record", ready="alidade")
    assert joins in ana.reads()


def test_what_was_tried_in_vain_is_forgotten_without_a_line_and_never_told_by_its_key(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    ana.sends("/do/start", move="change-state", at_once="1", **{
        "cast:character": record, "f:gm:states_gained": "altered_thought 2"})
    assert "Pensée altérée" in lea.reads()
    ana.sends("/do/scene", title="Le quai", kind="scene")
    lea.sends("/do/start", move="action", **{"cast:initiator": record, f"f:{record}:goal": "accoster"})
    number = re.findall(r'id="yours-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "altered_thought"})
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="6 6 6")
    lea.sends("/do/answer", number=number, answer='"stop"')
    ana.sends("/do/fill", number=number, complete="1", **{"f:gm:description": "la coque résiste"})
    assert "la coque résiste" in lea.reads()
    kept = ana.reads(f"/record/{record}")
    assert "accoster / altered_thought" in kept
    ana.sends("/do/time", span="scene")
    assert "accoster / " not in ana.reads(f"/record/{record}")
    told = titled("fields.failed", "solaires")
    for page in (ana.reads("/log"), ana.reads()):
        shown = re.sub(r"<[^>]*>", "", page)
        assert told not in shown
        assert "altered_thought" not in shown


def test_whoever_may_veto_a_use_of_points_reads_the_words_and_the_price_beside_the_buttons(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="spend-points", **{"cast:initiator": record, f"f:{record}:use": "flashback",
              f"f:{record}:text": "hier, sur le quai"})
    asked = html.unescape(bar(ana.reads()))
    assert "flashback, 2 points\u00a0: «\u00a0hier, sur le quai\u00a0»" in asked
    assert say("choices.veto.title", system="solaires") in asked


def test_what_the_player_tells_is_read_by_all_while_the_game_master_writes_what_it_leaves(client: TestClient) -> None:
    ana, lea = around(client)
    ana.sends("/do/options", **{"option:edition": "v5"})
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record})
    number = re.findall(r'id="move-(\d+)"', ana.reads())[0]
    ana.sends("/do/fill", number=number, **{"f:gm:effects.kept_1": "un témoin", "f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    lea.sends("/do/throw", number=number, by_hand="1")
    lea.sends("/do/faces", number=number, faces="1 6 6")
    lea.sends("/do/answer", number=number, answer='"describe"')
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:own_description": "la coque chante"})
    told = re.compile('<p class="said">la coque chante')
    assert not told.search(ana.reads())  # it may still be vetoed
    ana.sends("/do/answer", number=number, answer="false")
    page = ana.reads()
    assert say("fields.states_gained.title", system="solaires") in bar(page)  # what it leaves is still to be written
    assert told.search(page)
    ana.sends("/do/fill", number=number, complete="1", **{"f:gm:states_gained": "Blessé 1"})
    assert len(told.findall(lea.reads("/log"))) == 1  # once, and no more when it is over


def test_dice_above_the_score_to_beat_are_drawn_as_set_aside_for_those_who_may_know_it(client: TestClient) -> None:
    def discarded(who: Guest, page: str = "/") -> list[str]:
        return re.findall(r"6 faces\xa0: (\d), écarté", html.unescape(who.reads(page)))

    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    for grade in ("open", "outcome-hidden"):
        lea.sends("/do/start", move="action", **{"cast:initiator": record})
        number = re.findall(r'id="yours-(\d+)"', ana.reads())[0]
        ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
        lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
        if grade != "open":
            ana.sends("/do/grade", number=number, grade=grade)
        before = len(discarded(lea, "/log"))
        lea.sends("/do/throw", number=number, by_hand="1")
        lea.sends("/do/faces", number=number, faces="3 2 5")
        if grade == "open":
            assert discarded(lea, "/log") == discarded(ana, "/log") == ["5"]  # a die that equals it is kept
        else:
            assert discarded(ana, "/log") == ["5", "5"]
            assert len(discarded(lea, "/log")) == before  # whoever is not told how it ended sees dice alike


def test_only_the_attitudes_that_the_game_master_permits_are_offered(client: TestClient) -> None:
    ana, lea = around(client)
    lea.sends("/do/record", ready="cabestan")
    record = brought(lea, "Cabestan")
    lea.sends("/do/start", move="action", **{"cast:initiator": record})
    number = re.findall(r'id="yours-(\d+)"', ana.reads())[0]

    def offered() -> set[str]:
        return set(re.findall(rf'name="f:{record}:attitude" value="(\w+)"', lea.reads()))

    assert {"softened", "amplified", "unstable"} <= offered()
    ana.sends("/do/fill", number=number, **{"f:gm:allowed[]": ["softened", "unstable"]})
    assert offered() == {"softened", "unstable"}
    lea.sends("/do/fill", number=number, **{f"f:{record}:attitude": "unstable"})
    ana.sends("/do/fill", number=number, **{"f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
    assert f'action="{lea.base}/do/throw"' in lea.reads()
