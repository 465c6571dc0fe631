"""Solaires by its pages and forms, without a script: a character written, corrected, and drawn on from its own text."""

import re

from starlette.testclient import TestClient

from .conftest import say
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
    assert "data-picking" in card
    assert "professionnel" in card  # levels in words, list by list
    assert "data-picking" not in ana.reads()  # the text is asked of its owner
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
        "f:gm:effects.kept_0": "le câble cède", "f:gm:secret_effects.kept_3": "Un badge", "f:gm:intrinsic": "complex"})
    lea.sends("/do/fill", number=number, complete="1", **{f"f:{record}:element": "3"})
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
    assert "Un badge" in lea.reads()


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
        "cast:character": record, "f:gm:states_lost[]": "Essoufflé"})
    assert "Essoufflé <b>" not in lea.reads()


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
