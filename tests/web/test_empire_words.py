"""Empire galactique at the table, read without a browser: what is offered, and what its words say."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from paravent.game import LANGUAGES, to_plain
from paravent.game.records import Change
from paravent.game.telling import Teller
from paravent.store import open_log
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.machines.errors import NamelessOutOfOrder
from paravent.systems.empire.machines.kinds import Gear
from paravent.systems.empire.machines.moves_gear import check_usable
from paravent.systems.empire.people.character import Condition, Protection, Skill, Wound
from paravent.table.turn import Turn
from paravent.web.app import create_app
from paravent.web.desk.seat import DeskSeat
from seats import BLOW_SEALED

from .conftest import say
from .test_api import Program

READY = SYSTEM.kind("character").ready("fr")


@pytest.fixture
def ana():
    with TestClient(create_app(open_log("memory:"))) as client:
        opened = client.post("/api/tables", json={"system": "empire", "name": "Soirée", "game_master": "Ana"})
        yield Program(client, opened.json()["token"])


def html(who: Program, path: str = "/") -> str:
    entered = who.client.get(f"/enter/{who.token}")
    base = re.match(r"/t/\w+/\w+", entered.url.path)[0]
    return who.client.get(f"{base}{path}").text


def read(who: Program, path: str = "/") -> str:
    """A page as it is read, without its marks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html(who, path))).split())


def brings(who: Program, name: str, **changed: object) -> str:
    return str(who.does("add-record", kind="character", sheet={**to_plain(READY[name]), **changed})["record"])


def test_what_nothing_calls_for_is_not_suggested_and_is_found(ana):
    brings(ana, "solveig")
    assert "/start/start-fight" not in html(ana), "nobody stands against themselves"
    brings(ana, "bastien")
    page = html(ana)
    assert "/start/start-fight" in page
    for move in ("infection-check", "emancipation", "one-against-many"):
        assert f"/start/{move}" not in page
    assert "Émancipation" in read(ana, "/start?q=émancipation")


def test_a_day_of_the_world_and_a_title_are_no_skills_of_that_number(ana):
    seat = SimpleNamespace(teller=Teller("fr", SYSTEM))
    assert DeskSeat.date(seat, "2026-11-24T12:00:00+00:00") == "24/11/2026"
    ana.does("open-scene", title="11")
    assert re.search(r"scène\W: 11 *(?!Conduite)\w", read(ana))
    assert SYSTEM.words.word("fr", "11") not in read(ana)


def test_who_is_hurt_or_swayed_is_reason_enough():
    solveig = READY["solveig"]
    wounded = {"resistance_physical": solveig.resistance_physical - 5}
    for move, sheet in (("infection-check", wounded), ("treat-wounds", wounded),
                        ("emancipation", {"mind_state": "convinced"})):
        made = {"initiator": SYSTEM.kind("character").from_plain({**to_plain(solveig), **sheet})}
        assert SYSTEM.move(move).makes_sense(SYSTEM.context(move, {}, made))
        assert not SYSTEM.move(move).makes_sense(SYSTEM.context(move, {}, {"initiator": solveig}))


def test_leaving_the_initiative_open_says_who_has_it_then(ana):
    one, other = brings(ana, "solveig"), brings(ana, "bastien")
    ana.does("start-move", move="start-fight", cast={"initiator": [one], "opponent": [other]})
    assert re.search(r"Qui a l'initiative \?? ?le camp le plus vif "
                     r"Solveig Arrant Bastien Corvol personne", read(ana))


def test_whom_to_place_in_a_fight_is_asked_and_not_taken_for_granted(ana):
    one, other = brings(ana, "solveig"), brings(ana, "bastien")
    number = ana.does("start-move", move="start-fight", cast={"initiator": [one], "opponent": [other]})["number"]
    ana.does("fill", number=number, values={"initiative": "nobody"})
    ana.does("throw", number=number)
    assert re.search(r'href="[^"]*/start/take-position', html(ana))  # a form, not a tap that places one side
    for who in (one, other):
        assert re.search(f'type="checkbox" name="cast:initiator" value="{who}"', html(ana, "/start/take-position"))


def test_that_no_blow_lands_is_said_once(ana):
    one, other = brings(ana, "solveig"), brings(ana, "bastien")
    number = ana.does("start-move", move="single-exchange", cast={"initiator": [one], "opponent": [other]})["number"]
    for who in (one, other):
        ana.does("fill", number=number, values={"attitude": "feint", **BLOW_SEALED}, actor=who)
    ana.does("throw", number=number)
    page = read(ana, "/log")
    assert page.count("Aucun coup ne porte") == 1
    assert "Personne n'est touché" not in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_object_without_a_name_is_called_what_it_is(lang):
    teller = Teller(lang, SYSTEM)
    ((what, _, _),) = teller.change(Change("item", "", None, Gear(), kind="item"))
    assert what == teller.title("kinds.item") != "item"
    with pytest.raises(NamelessOutOfOrder) as refusal:
        check_usable(Gear(broken=True))
    assert "item" not in teller.error(refusal.value)


def test_whoever_is_at_the_table_already_is_marked_where_characters_are_chosen_and_nobody_hidden_is(ana):
    bob = ana.invites("Bob")
    assert "déjà à la table" not in read(bob, "/new")
    brings(ana, "solveig")
    name = READY["solveig"].name
    for who in (ana, bob):
        page = read(who, "/new")
        assert f"{name} déjà à la table" in page
        assert page.count("déjà à la table") == 1
    ana.does("add-record", kind="character", sheet=to_plain(READY["bastien"]), seen_by=["gm"])
    assert read(ana, "/new").count("déjà à la table") == 2
    assert read(bob, "/new").count("déjà à la table") == 1


def test_the_thresholds_of_a_mind_lie_on_a_rope_before_the_game_master_alone(ana):
    bob, one, other = ana.invites("Bob"), brings(ana, "solveig"), brings(ana, "bastien")
    number = ana.does("start-move", move="verbal-duel", cast={"initiator": [one], "opponent": [other]},
                      form={one: {"request": "passer"}})["number"]
    ana.does("fill", number=number, values={"target": 7})
    mind = READY["bastien"].mental_most
    reached = f"ébranlé {-(-mind // 3)} convaincu {-(-mind // 2)} aveuglé {mind}"
    assert f"Points d'influence {reached} 0 / 7" in read(ana)
    assert "Duel verbal" in read(bob)
    for told in ("class=\"rope\"", "aveuglé", "Points d'influence"):
        assert told not in html(bob)


def test_a_player_whose_turn_nobody_keeps_chooses_what_comes_next(ana):
    bob, other = ana.invites("Bob"), brings(ana, "bastien")
    one = str(bob.does("add-record", kind="character", sheet=to_plain(READY["solveig"]))["record"])
    number = ana.does("start-move", move="verbal-duel", cast={"initiator": [one], "opponent": [other]},
                      form={one: {"request": "passer"}})["number"]
    ana.does("fill", number=number, values={"target": 7})
    assert "À vous de choisir la suite. Échange d'arguments" in read(bob)


def test_a_test_of_a_skill_asks_for_the_skill_before_anything_else(ana):
    one = brings(ana, "solveig")
    for move in ("skill-test", "secret-test"):
        ana.does("start-move", move=move, cast={"initiator": [one]})
        page = read(ana)
        assert "Il vous reste à remplir « Compétence »" in page
        assert "Il vous reste à remplir « Caractéristique »" not in page


def test_whoever_makes_a_character_is_called_by_their_own_name(ana):
    bob = ana.invites("Bob")
    number = bob.does("start-move", move="roll-characteristics", cast={})["number"]
    bob.does("throw", number=number)
    page = read(bob)
    assert "points à répartir" in page
    assert "celui qui agit" not in page


def test_scores_that_do_not_share_out_the_pool_are_kept_and_what_is_wrong_is_said_until_they_do(ana):
    kay = ana.does("add-record", kind="quick", sheet={"name": "Kay", "physical_quality": 7, "mental_quality": 8})
    number = ana.does("start-move", move="full-character", cast={"initiator": [kay["record"]]})["number"]
    scores = {"charm": 9, "dexterity": 7, "strength": 7, "intelligence": 8, "willpower": 8, "endurance": 7}
    ana.does("fill", number=number, values={"sex": "woman", **scores})
    assert "Il faut répartir 45 points ; la somme fait 46." in read(ana).replace("\u202f", " ").replace("\xa0", " ")
    ana.does("fill", number=number, values={"charm": 8})
    assert ana.view["moves"][str(number)]["phase"] == "closed"


def test_whoever_spread_thrown_points_wrongly_still_has_them_before_them(ana):
    bob = ana.invites("Bob")
    number = bob.does("start-move", move="roll-characteristics", cast={})["number"]
    bob.does("throw", number=number)
    pool = bob.view["moves"][str(number)]["throws"][0]["result"]
    scores = {"dexterity": 12, "strength": 12, "endurance": 12, "charm": 12, "intelligence": 12, "willpower": 12}
    bob.does("fill", number=number, values={"name": "Ixi", "sex": "woman", **scores})
    assert f"Il faut répartir {pool} points" in read(bob).replace("\u202f", " ").replace("\xa0", " ")
    for score in scores:
        assert re.search(f'<input[^>]*name="f:\\w+:{score}"', html(bob))
    each, over = divmod(pool, 6)
    bob.does("fill", number=number, values={score: each + (at < over) for at, score in enumerate(scores)})
    assert bob.view["moves"][str(number)]["phase"] == "settled"


@pytest.mark.parametrize("move", ["repair", "wear-check"])
def test_what_no_skill_mends_is_not_offered_to_be_mended(move):
    for level, is_offered in ((2, False), (3, True)):
        lamp = Gear(name="Lampe", tech_level=level, quality=4, damage=1)
        assert SYSTEM.move(move).can_come(SYSTEM.context(move, {"item": [{}]}, {"item": lamp})) is is_offered


def test_who_lies_unconscious_is_offered_no_argument():
    bastien = READY["bastien"]
    out = {**to_plain(bastien), "conditions": [{"name": "knocked_out"}]}
    for move in ("verbal-duel", "single-argument"):
        for role in ("initiator", "opponent"):
            for sheet, is_offered in ((to_plain(bastien), True), (out, False)):
                made = SYSTEM.kind("character").from_plain(sheet)
                assert SYSTEM.move(move).can_come(SYSTEM.context(move, {role: [{}]}, {role: made})) is is_offered


def test_school_is_suggested_to_those_who_have_learnt_nothing_yet():
    school, young = SYSTEM.move("enter-school"), SYSTEM.kind("character").from_plain({"name": "Sola"})
    assert school.makes_sense(SYSTEM.context(school, {}, {"initiator": young}))
    for grown in READY.values():
        assert not school.makes_sense(SYSTEM.context(school, {}, {"initiator": grown}))


def test_a_second_wound_like_the_first_is_told_as_one_more():
    one = Wound("leg", 1)
    ((_, gone, come),) = Teller("fr", SYSTEM).change(Change("garde", "wounds", (one,), (one, one)))
    assert (gone, come) == ("–", "jambe 1")


@pytest.mark.parametrize(("path", "before", "after", "told"), [
    ("skills", (Skill("32", 2), Skill("34")), (Skill("32", 3), Skill("34")),
     ("32 Combat à mains nues · Niveau", "2", "3")),
    ("skills", (), (Skill("35"),), ("Compétences", "–", "35 Combat à distance 1")),
    ("protections", (Protection("vest"),), (Protection("vest", ("torso",)),),
     ("gilet pare-balles · Endroits hors d'usage", "–", "torse")),
    ("conditions", (), (Condition("knocked_out", 13),), ("États", "–", "assommé 13")),
])
def test_of_a_row_on_a_sheet_only_what_changes_is_told(path, before, after, told):
    ((what, was, now),) = Teller("fr", SYSTEM).change(Change("garde", path, before, after))
    assert (what.endswith(told[0]), was, now) == (True, *told[1:])


def test_nobody_is_asked_to_say_yes_to_what_their_purse_cannot_pay(ana):
    poor = brings(ana, "solveig", credits=1)
    number = ana.does("start-move", move="buy-lots", cast={"initiator": [poor]},
                      form={poor: {"good": "plants"}, "gm": {"tech_level": 3}})["number"]
    ana.does("throw", number=number)
    ana.does("fill", number=number, actor=poor, values={"haggles": False})
    asked = re.findall(rf'name="f:{poor}:accept" value="(\w*)"', html(ana))
    assert asked == ["no"]
    assert "Il manque" in read(ana)
    ana.does("fill", number=number, actor=poor, values={"accept": False})
    assert "Pas d'affaire" in read(ana, "/log")


def test_in_a_fight_the_other_side_is_at_hand_before_friends(ana):
    seat = ana.does("add-seat", name="Bob", grade="player")
    mine, friend, foe = brings(ana, "solveig"), brings(ana, "bastien"), brings(ana, "oriane")
    another = brings(ana, "bastien")
    ana.does("give-record", record=mine, owner=seat["seat"])
    number = ana.does("start-move", move="start-fight",
                      cast={"initiator": [friend, mine], "opponent": [foe, another]})["number"]
    ana.does("throw", number=number)
    bob = Program(ana.client, seat["links"][seat["seat"]])
    listed = re.findall(r'name="cast:opponent" value="(\w+)"', html(bob, "/start/combat-exchange"))
    assert (set(listed[:2]), listed[2:]) == ({foe, another}, [friend])


def test_whoever_sees_no_foe_in_a_fight_is_not_offered_a_friend_to_strike(ana):
    seat = ana.does("add-seat", name="Bob", grade="player")
    mine, friend = brings(ana, "solveig"), brings(ana, "bastien")
    foe = ana.does("add-record", kind="character", sheet=to_plain(READY["oriane"]), seen_by=["gm"])["record"]
    ana.does("give-record", record=mine, owner=seat["seat"])
    number = ana.does("start-move", move="start-fight", cast={"initiator": [friend, mine], "opponent": [foe]})["number"]
    ana.does("throw", number=number)
    bob = Program(ana.client, seat["links"][seat["seat"]])
    assert "/start/take-aim" in html(bob, "/start") or "/start/shoot" in html(bob, "/start")
    assert "combat-exchange" not in html(bob)
    ana.does("show-record", record=foe, seen_by=["all"])
    assert "combat-exchange" in html(bob)


def test_what_only_keeps_count_is_shown_where_something_else_counted_meanwhile(ana):
    """Else the game master could neither correct nor refuse it, and the act would never end."""
    one, other = brings(ana, "solveig"), brings(ana, "bastien")
    fight = ana.does("start-move", move="start-fight", cast={"initiator": [one], "opponent": [other]},
                     form={"gm": {"initiative": "nobody"}})["number"]
    ana.does("throw", number=fight)
    blows = ana.does("start-move", move="combat-exchange", cast={"initiator": [one], "opponent": [other]},
                     encounter=1)["number"]
    bomb = ana.does("start-move", move="grenade", cast={"initiator": [one], "opponent": []}, encounter=1)["number"]
    for who in (one, other):
        ana.does("fill", number=blows, values={"attitude": "attack", **BLOW_SEALED}, actor=who)
    ana.does("throw", number=blows, by_hand=True)  # its dice have begun to fall: what it has read stays
    ana.does("throw", number=bomb)
    for _ in range(2):
        ana.does("answer", number=blows, answer=[6, 6, 6])
    assert "Séquences d'action 0 → 1" in read(ana)
    with pytest.raises(AssertionError, match="Séquences d'action"):
        ana.does("accept", number=blows)
    ana.does("accept", number=blows, amend={"0": 2})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_hour_is_an_hour_though_a_skill_has_its_number(lang):
    teller = Teller(lang, SYSTEM)
    at = {"fr": "jour 1, 14\u00a0h\u00a022", "en": "day 1, 14:22"}[lang]
    assert teller.moment(14 * 60 + 22) == at
    assert at.endswith(teller.hour(14 * 60 + 22))


@pytest.mark.parametrize("there", [0, 2])
def test_the_game_master_answers_for_a_crowd_whoever_else_is_at_the_table(ana, there):
    """One tap begins an argument with it: nobody has to be chosen whose own mind would be met instead."""
    seat = ana.does("add-seat", name="Bob", grade="player")
    mine, *others = brings(ana, "solveig"), brings(ana, "bastien"), brings(ana, "oriane")
    ana.does("give-record", record=mine, owner=seat["seat"])
    bob = Program(ana.client, seat["links"][seat["seat"]])
    number = bob.does("start-move", move="sway-crowd", cast={"initiator": [mine], "opponent": others[:there]},
                      form={mine: {"request": "laisser passer le convoi"}})["number"]
    ana.does("fill", number=number, values={"crowd_size": 40}, actor="gm")
    bob.does("throw", number=number)
    assert "demande : « laisser passer le convoi »" in read(bob, "/log").replace("\u00a0", " ")
    spoken = bob.does("start-move", move="verbal-exchange", cast={"initiator": [mine]}, encounter=1)["number"]
    (master,) = (name for name, one in ana.view["seats"].items() if one["grade"] == "gm")
    assert set(bob.view["moves"][str(spoken)]["waits_for"]) == {seat["seat"], master}
    for who, speaks in ((bob, mine), (ana, master)):
        who.does("fill", number=spoken, values={"manner": "logic"}, actor=speaks)
    bob.does("throw", number=spoken)
    assert ana.view["encounters"]["1"]["state"]["arguments"] == 1
    assert "Ana subit" not in read(ana, "/log")  # the crowd does, or nobody


def fights(ana: Program, *foes: str) -> tuple[Program, str]:
    """Bob with Bastien against these; Bob, and his character."""
    seat = ana.does("add-seat", name="Bob", grade="player")
    mine = brings(ana, "bastien")
    ana.does("give-record", record=mine, owner=seat["seat"])
    number = ana.does("start-move", move="start-fight", cast={"initiator": [mine], "opponent": list(foes)},
                      form={"gm": {"initiative": "nobody"}})["number"]
    ana.does("throw", number=number)
    return Program(ana.client, seat["links"][seat["seat"]]), mine


def test_a_shot_against_several_asks_at_whom_and_against_one_does_not(ana):
    one, other = brings(ana, "oriane"), brings(ana, "solveig")
    bob, mine = fights(ana, one, other)
    page, form = html(bob), html(bob, "/start/shoot")
    assert re.search(r'href="[^"]*/start/shoot', page)  # it leads to the question
    assert re.findall(r'<button[^>]*name="cast:opponent" value="(\w+)"', form)[:2] == [one, other]
    ana.does("end-encounter", number=1)
    number = ana.does("start-move", move="start-fight", cast={"initiator": [mine], "opponent": [one]})["number"]
    ana.does("throw", number=number)
    assert re.search(rf'name="cast:opponent" value="{one}"', html(bob))  # begun at a touch


def test_whoever_is_asked_anew_reads_so_with_the_question(ana, monkeypatch):
    one, other = brings(ana, "solveig"), brings(ana, "bastien")
    for is_asked in (False, True):
        monkeypatch.setattr(Turn, "is_asked_anew", lambda *_, is_asked=is_asked: is_asked)
        cast = {"initiator": [one], "opponent": [other]}
        number = ana.does("start-move", move="single-exchange", cast=cast)["number"]
        assert (say("web.asked_anew") in read(ana)) is is_asked
        ana.does("cancel", number=number)


def test_whoever_is_held_slips_out_at_a_touch_of_the_game_masters(ana):
    """It was begun with the same person on both sides, and refused."""
    one, other = brings(ana, "oriane"), brings(ana, "solveig")
    number = ana.does("start-move", move="start-fight", cast={"initiator": [one], "opponent": [other]})["number"]
    ana.does("throw", number=number)
    ana.does("edit-record", record=other, path="conditions", value=[{"name": "held"}])
    touch = next(form for form in re.findall(r"<form.*?</form>", html(ana), re.DOTALL) if 'value="break-free"' in form)
    assert re.findall(r'name="cast:(\w+)" value="(\w+)"', touch) == [("initiator", other), ("opponent", one)]


def test_a_grenade_is_thrown_at_all_who_are_in_the_fight(ana):
    """Friends and the fallen too: what goes off there spares nobody."""
    friend, foe, fallen = brings(ana, "oriane"), brings(ana, "solveig"), brings(ana, "maelis")
    bob, mine = fights(ana, foe, fallen)
    ana.does("end-encounter", number=1)
    number = ana.does("start-move", move="start-fight",
                      cast={"initiator": [mine, friend], "opponent": [foe, fallen]})["number"]
    ana.does("throw", number=number)
    touch = next(form for form in re.findall(r"<form.*?</form>", html(bob), re.DOTALL) if 'value="grenade"' in form)
    cast = re.findall(r'name="cast:(\w+)" value="(\w+)"', touch)
    assert cast[0] == ("initiator", mine)
    assert {who for role, who in cast if role == "opponent"} == {friend, foe, fallen}


def test_alone_against_several_one_reads_who_they_are_in_their_order(ana):
    one, other = brings(ana, "oriane"), brings(ana, "solveig")
    bob, mine = fights(ana, one, other)
    ana.does("start-move", move="one-against-many", cast={"initiator": [mine], "opponent": [one, other]}, encounter=1)
    assert "Bastien Corvol contre Oriane des Halliers et Solveig Arrant" in read(bob)


def test_what_is_made_of_a_test_is_told_by_one_touch_and_words_are_asked_for_only_then(ana):
    who = brings(ana, "bastien")
    number = ana.does("start-move", move="skill-test", cast={"initiator": [who]},
                      form={who: {"skill": "35"}, "gm": {"difficulty": "average"}})["number"]
    ana.does("throw", number=number)
    page = html(ana)
    assert re.findall(r'<button[^>]*name="f:gm:tells" value="(\w+)"', page) == ["adjective", "own_words", "kept"]
    assert "f:gm:in_words" not in page
    ana.does("fill", number=number, values={"tells": "own_words"}, actor="gm")
    assert "f:gm:in_words" in html(ana)
    ana.does("fill", number=number, values={"in_words": "La porte cède."}, actor="gm")
    assert "La porte cède." in read(ana)


def test_a_shot_goes_through_three_characteristics_and_is_one_chance(ana):
    foe = brings(ana, "oriane")
    bob, mine = fights(ana, foe)
    number = bob.does("start-move", move="shoot", cast={"initiator": [mine], "opponent": [foe]}, encounter=1)["number"]
    assert re.findall(rf'type="radio"[^>]*name="f:{mine}:characteristic"[^>]*value="(\w*)"', html(bob)) == [
        "", "dexterity", "strength", "endurance"]
    assert "tirer, " in read(bob)
    assert "de réussite pour Bastien Corvol" in read(ana)
    # A miss is nobody's success.
    assert not re.search(r"(?<!touche )(?<!manque )Oriane des Halliers [\d,]+ %", read(ana))
    ana.does("cancel", number=number)


def test_what_is_lost_is_counted_from_what_is_left_and_never_below_nothing(ana):
    foe = brings(ana, "oriane", protections=[])
    bob, mine = fights(ana, foe)
    number = bob.does("start-move", move="shoot", cast={"initiator": [mine], "opponent": [foe]}, encounter=1,
                      form={mine: {"weapon": "rifle", "column": "vague"}})["number"]
    ana.does("fill", number=number, values={"difficulty": "easy", "distance": 20}, actor="gm")  # one die: it hits
    bob.does("throw", number=number)
    ana.does("edit-record", record=foe, path="resistance_physical", value=0)
    (lost,) = re.findall(r'name="value:\d+" value="(-?\d+)"', html(ana))
    assert lost == "0"


def test_both_manners_of_speaking_are_told_and_a_mind_is_amended_in_words(ana):
    seat = ana.does("add-seat", name="Bob", grade="player")
    mine, other = brings(ana, "solveig"), brings(ana, "oriane")
    ana.does("give-record", record=mine, owner=seat["seat"])
    bob = Program(ana.client, seat["links"][seat["seat"]])
    opened = bob.does("start-move", move="verbal-duel", cast={"initiator": [mine], "opponent": [other]},
                      form={mine: {"request": "passer"}})["number"]
    ana.does("fill", number=opened, values={"target": 3}, actor="gm")
    for _ in range(40):
        spoken = bob.does("start-move", move="verbal-exchange", cast={"initiator": [mine], "opponent": [other]},
                          encounter=1)["number"]
        ana.does("fill", number=spoken, values={"relation": "friendly"}, actor="gm")
        for who, speaks, manner in ((bob, mine, "seduction"), (ana, other, "logic")):
            who.does("fill", number=spoken, values={"manner": manner}, actor=speaks)
        bob.does("throw", number=spoken)
        assert "Solveig Arrant : séduction. Oriane des Halliers : logique." in read(bob, "/log").replace("\u00a0", " ")
        if "influencé" in read(ana):
            break
        if ana.view["moves"][str(spoken)]["phase"] == "settled":
            ana.does("accept", number=spoken)
    assert re.search(r'<option value="influenced" selected>\s*influencé', html(ana))
    assert not re.search(r'<input[^>]*name="value:[^>]*influenced', html(ana))


def mends(ana: Program) -> tuple[Program, str, str]:
    """A player whose radio, all they have, is broken."""
    seat = ana.does("add-seat", name="Bob", grade="player")
    solveig = brings(ana, "solveig")
    ana.does("give-record", record=solveig, owner=seat["seat"])
    return Program(ana.client, seat["links"][seat["seat"]]), solveig, owns(ana, seat["seat"], Gear(
        "Radio", 4, 4000, 1000, 9, damage=5, broken=True))


def owns(ana: Program, seat: str, gear: Gear) -> str:
    return str(ana.does("add-record", kind="item", sheet=to_plain(gear), owner=seat)["record"])


def test_what_is_to_be_mended_is_not_taken_to_pieces_for_it(ana):
    bob, _, radio = mends(ana)
    form = html(bob, "/start/repair")
    assert re.search(rf'<option value="{radio}"[^>]* selected', form)
    donors = re.findall(r'<input[^>]*name="cast:donor"[^>]*>', form)
    assert donors
    assert not any("checked" in donor for donor in donors)
    owns(ana, bob.view["seat"], Gear("Épave", 4, 4000, 1000, 9, damage=10, broken=True, scrapped=True, spare_parts=3))
    checked = [donor for donor in re.findall(r'<input[^>]*name="cast:donor"[^>]*>', html(bob, "/start/repair"))
               if "checked" in donor]
    assert [radio in donor for donor in checked] == [False]  # the only machine that was taken to pieces


def test_what_is_still_to_be_said_is_named_though_the_rest_is_the_game_masters_to_know(ana):
    bob, solveig, radio = mends(ana)
    bob.does("start-move", move="repair", cast={"initiator": [solveig], "item": [radio]})
    assert "Il vous reste à remplir « Pièces détachées »" in read(bob).replace("\u00a0", " ")
    bob.does("start-move", move="workshop", cast={"initiator": [solveig]})
    assert "Il vous reste à remplir « NT de l'objet »" in read(bob).replace("\u00a0", " ")


@pytest.mark.parametrize(("words", "found"), [
    ("acheter", "Acquérir un objet"), ("réparer", "Confier à un atelier"), ("voyager", "Voyage interstellaire"),
    ("partir", "Quitter le port"), ("informateur", "Chercher quelqu'un")])
def test_everyday_words_find_what_merchants_and_travellers_do(ana, words, found):
    bob, *_ = mends(ana)
    assert found in read(bob, f"/start?q={words}").replace("’", "'")
