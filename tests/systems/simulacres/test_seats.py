"""Simulacres from four seats: what the game master, the owner, another player and a spectator each may know."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import NotYours, UnknownName
from paravent.game.errors import SomebodyElse
from paravent.systems.simulacres import SYSTEM
from paravent.systems.simulacres.checks.errors import TooManyPoints
from paravent.systems.simulacres.people.cast import Category, Creature, Extra, Leaning
from paravent.systems.simulacres.people.character import Ailment, Skill, Weapon
from paravent.table.hotseat import Hotseat
from seats import hidden_from, moves_seen, page, told

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
READY = SYSTEM.kind("character").ready("fr")


@pytest.fixture
def table():
    """A table with Arthur (Ana's) and Nour (Bob's): ``table(3, 4, …, duel_declaration="open")``."""

    def opened(*faces, **options):
        hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
        hotseat.add("arthur", READY["arthur"], owner="ana")
        hotseat.add("nour", READY["nour"], owner="bob")
        return hotseat

    return opened


def chance(given):
    return {key: weighed.chance(lambda done: done.success) for key, weighed in given.items()}


# Scene (c): a secret perception

DOOR = {"secret_difficulty": "porte épaisse:-1", "on_success": "Deux voix, un nom : Aramir.",
        "on_failure": "Vous n'entendez rien."}


def listen(hotseat, **more):
    number = hotseat.start("mj", "secret-test", {"initiator": ["arthur"]})
    hotseat.fill("ana", number, {"value": 8})
    hotseat.fill("mj", number, {**DOOR, **more})
    hotseat.throw("mj", number)
    return number


@pytest.mark.rules("SIM-023", "SIM-024")
@pytest.mark.vector("SIM-X08")
def test_arthur_listens_at_a_door_behind_the_screen(table):
    """The player gives a sum and hears a sentence; difficulty, dice, margin and success stay with the game master."""
    hotseat = table(4, 6)
    listen(hotseat)
    (seen_by_gm,) = moves_seen(hotseat, "mj")
    assert seen_by_gm["throws"][0]["dice"][0]["faces"] == [4, 6]
    assert seen_by_gm["throws"][0]["outcome"] == "failure"
    assert ("outcomes.told_failure", {"quality": "poor", "margin": 3}) in told(hotseat, "mj")
    (seen_by_ana,) = moves_seen(hotseat, "ana")
    assert seen_by_ana["fields"] == {"arthur": {"value": 8}}
    assert set(seen_by_ana["throws"][0]) <= {"step", "told"}
    assert told(hotseat, "ana") == [("outcomes.narrated", {"text": "Vous n'entendez rien."})]
    hidden_from(hotseat, ("ana", "bob", "zoe"), "porte", "Aramir", "poor", "failure", "faces", '"margin"')
    for seat in ("bob", "zoe"):
        assert (moves_seen(hotseat, seat), told(hotseat, seat)) == ([], [])


@pytest.mark.rules("SIM-024")
def test_a_failed_perception_and_a_true_absence_read_alike(table):
    """Arthur fails where voices speak; Arthur succeeds where nobody is: his page is the same, word for word."""
    failed, absent = table(4, 6), table(1, 2)
    listen(failed)
    listen(absent, nothing_there=True)
    assert page(failed, "ana") == page(absent, "ana")
    heard = table(1, 2)
    listen(heard)
    assert told(heard, "ana") == [("outcomes.narrated", {"text": "Deux voix, un nom : Aramir."})]


@pytest.mark.rules("SIM-024")
def test_without_prepared_sentences_the_house_has_its_own(table):
    for faces, more, key in (((4, 6), {}, "nothing_noticed"), ((1, 2), {"nothing_there": True}, "nothing_noticed"),
                             ((1, 2), {}, "noticed")):
        hotseat = table(*faces)
        listen(hotseat, on_success=None, on_failure=None, **more)
        assert told(hotseat, "ana") == [(f"outcomes.{key}", {})]


@pytest.mark.rules("SIM-024", "SIM-086", "SIM-089")
def test_a_sixth_sense_is_the_game_masters_to_throw(table):
    hotseat = table(3, 4)
    with pytest.raises(NotYours):
        hotseat.start("ana", "secret-test", {"initiator": ["arthur"]})
    number = hotseat.start("mj", "secret-test", {"initiator": ["arthur"]})
    hotseat.fill("mj", number, {"common": "sixth_sense"}, "arthur")
    assert hotseat.odds("mj", number)[None].chance(lambda done: done.check.success) == Fraction(26, 36)
    assert hotseat.odds("ana", number) is None
    hotseat.throw("mj", number)
    assert moves_seen(hotseat, "mj")[0]["throws"][0]["result"]["check"]["margin"] == 2


@pytest.mark.rules("SIM-024")
def test_the_game_master_may_turn_a_secret_throw_over_later(table):
    hotseat = table(4, 6)
    number = listen(hotseat)
    hotseat.turn_over("mj", number, "secret")
    assert moves_seen(hotseat, "ana")[0]["throws"][0]["dice"][0]["faces"] == [4, 6]


@pytest.mark.parametrize(("faces", "key", "roll"), [
    ((2, 3), "success", 5), ((6, 4), "failure", 10), ((6, 6), "failure", 12), ((1, 1), "success", 2)])
def test_a_result_says_what_fell_against_what(table, faces, key, roll):
    hotseat = table(*faces)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]}, {"arthur": {"value": 7}})
    hotseat.fill("mj", number, {"difficulty": "0"})
    hotseat.throw("ana", number)
    ((said, values),) = told(hotseat, "bob")
    assert (said, values["roll"], values["value"]) == (f"outcomes.told_roll_{key}", roll, 7)


# A hidden difficulty


@pytest.mark.rules("SIM-005", "SIM-024")
def test_a_hidden_difficulty_shows_success_but_not_its_margin(table):
    hotseat = table(3, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]}, {"arthur": {"value": 8}})
    hotseat.fill("mj", number, {"hide_difficulty": True})
    hotseat.fill("mj", number, {"hidden_difficulty": -1})
    assert set(chance(hotseat.odds("ana", number))) == {-4, -2, -1, 0, 1, 2, 4}
    assert chance(hotseat.odds("mj", number)) == {None: Fraction(15, 36)}
    hotseat.throw("ana", number)
    for seat in ("ana", "bob", "zoe"):
        (seen,) = moves_seen(hotseat, seat)
        assert (seen["throws"][0]["dice"][0]["faces"], seen["throws"][0]["outcome"]) == ([3, 3], "success")
        assert told(hotseat, seat) == [("outcomes.told_bare_success", {})]
    hidden_from(hotseat, ("ana", "bob", "zoe"), '"margin"', '"hidden_difficulty"', '"result"')
    assert ("outcomes.told_success", {"quality": "normal", "margin": 1}) in told(hotseat, "mj")


@pytest.mark.rules("SIM-002")
def test_an_open_test_lies_open_to_all_and_its_odds_are_plain(table):
    hotseat = table(3, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]}, {"arthur": {"common": "physical"}})
    for seat in SEATS:
        assert chance(hotseat.odds(seat, number)) == {None: Fraction(21, 36)}
    hotseat.throw("ana", number)
    for seat in SEATS:
        assert moves_seen(hotseat, seat)[0]["throws"][0]["result"]["margin"] == 2


def test_a_refused_payment_changes_nothing(table):
    hotseat = table(3, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]}, {"arthur": {"value": 8}})
    with pytest.raises(TooManyPoints):
        hotseat.fill("ana", number, {"energies": "power:3"})
    assert hotseat.records["arthur"].record == READY["arthur"]
    assert moves_seen(hotseat, "ana")[0]["throws"] == []


def test_the_game_master_accepts_what_a_test_costs_and_may_undo_it(table):
    hotseat = table(3, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]}, {"arthur": {"value": 8}})
    hotseat.fill("ana", number, {"energies": "power:1,ep:1", "action_label": "porte"})
    hotseat.throw("ana", number)
    hotseat.accept("mj", number)
    assert hotseat.records["arthur"].record.psyche_points == 3
    assert hotseat.records["arthur"].record.active_energy_bonuses[0].action == "porte"
    hotseat.undo("mj", number)
    assert hotseat.records["arthur"].record == READY["arthur"]


# A duel


def face_off(hotseat, **gm):
    number = hotseat.start("ana", "duel", {"initiator": ["arthur"], "opponent": ["nour"]})
    mind = {"component": "mind", "means": "perception", "realm": "human"}
    hotseat.fill("ana", number, mind)
    hotseat.fill("bob", number, mind)
    hotseat.fill("mj", number, gm)
    return number


@pytest.mark.rules("SIM-027", "SIM-025")
def test_energies_of_a_duel_are_sealed_until_both_are_in(table):
    hotseat = table(3, 4, 3, 3)
    number = face_off(hotseat)
    hotseat.seal("ana", number, {"energies": "precision:1"})
    for seat in ("mj", "bob", "zoe"):
        assert moves_seen(hotseat, seat)[0]["fields"]["arthur"]["energies"] == {"sealed": True}
        assert "precision" not in json.dumps(moves_seen(hotseat, seat)[0]["fields"]["arthur"]["energies"])
    assert moves_seen(hotseat, "ana")[0]["fields"]["arthur"]["energies"]["precision"] == 1
    hotseat.seal("bob", number, {"energies": {}})
    for seat in SEATS:
        assert moves_seen(hotseat, seat)[0]["fields"]["arthur"]["energies"]["precision"] == 1
    hotseat.throw("ana", number)
    assert told(hotseat, "zoe") == [("outcomes.told_duel_tie", {}), ("outcomes.told_duel", {"a": 2, "b": 2})]


@pytest.mark.rules("SIM-027")
@pytest.mark.option("duel_declaration", "open")
def test_energies_of_a_duel_may_be_said_aloud_the_attacker_first(table):
    hotseat = table(3, 4, 3, 3, duel_declaration="open")
    number = face_off(hotseat)
    assert hotseat.waits_for(number) == {"ana"}
    hotseat.fill("ana", number, {"open_energies": "precision:1"})
    assert moves_seen(hotseat, "bob")[0]["fields"]["arthur"]["open_energies"]["precision"] == 1
    assert hotseat.waits_for(number) == {"bob"}
    hotseat.fill("bob", number, {"open_energies": "power:1"})
    hotseat.throw("ana", number)
    assert ("outcomes.told_duel_tie", {}) not in told(hotseat, "bob")


@pytest.mark.rules("SIM-025")
def test_each_side_of_a_duel_hides_its_sum_from_the_other(table):
    hotseat = table(3, 4, 3, 3)
    number = face_off(hotseat, difficulty="foule:-2", hide_values=True)
    assert "arthur" not in moves_seen(hotseat, "bob")[0]["fields"]
    assert moves_seen(hotseat, "bob")[0]["fields"]["nour"]["component"] == "mind"
    assert "component" not in json.dumps(moves_seen(hotseat, "zoe")[0]["fields"])
    assert hotseat.odds("ana", number) is None
    for seat, energies in (("ana", {}), ("bob", {})):
        hotseat.seal(seat, number, {"energies": energies})
    hotseat.throw("ana", number)
    hidden_from(hotseat, ("ana", "bob", "zoe"), "foule", '"margin"', '"result"')
    assert [line["role"] for line in moves_seen(hotseat, "ana")[0]["throws"][0]["dice"]] == ["initiator"]
    assert [line["role"] for line in moves_seen(hotseat, "bob")[0]["throws"][0]["dice"]] == ["opponent"]
    assert "dice" not in moves_seen(hotseat, "zoe")[0]["throws"][0]
    for seat in SEATS:
        assert ("outcomes.told_duel_b", {}) in told(hotseat, seat)
    assert ("outcomes.told_duel", {"a": -1, "b": 2}) in told(hotseat, "mj")


def test_the_odds_of_a_duel_do_not_tell_of_the_other_side(table):
    hotseat = table(3, 4, 3, 3)
    hotseat.add("brute", Extra(name="Brute", category=Category.STRONG, trades=(Skill("Marin"),),
                               talents=(Skill("Bagarre"),), hobbies=(Skill("Dés"),)), kind="extra")
    number = hotseat.start("ana", "duel", {"initiator": ["arthur"], "opponent": ["brute"]}, {"arthur": {"value": 8}})
    hotseat.seal("ana", number, {"energies": {}})
    hotseat.seal("mj", number, {"energies": {}}, "brute")
    assert hotseat.odds("mj", number) is not None
    assert hotseat.odds("ana", number) is None
    assert hotseat.seen("ana")["records"]["brute"]["sheet"] == {"name": "Brute"}


# An inner conflict


@pytest.mark.rules("SIM-029", "SIM-030")
def test_a_lost_resistance_opens_the_will_with_its_margin(table):
    hotseat = table(4, 5, 2, 2)
    number = hotseat.start("ana", "resist", {"initiator": ["arthur"]},
                           {"arthur": {}})
    hotseat.fill("mj", number, {"attack": "hypnosis", "aggressor_margin": 2})
    hotseat.throw("ana", number)
    second = moves_seen(hotseat, "ana")[1]
    assert (second["move"], second["fields"]["gm"]["failure_margin"]) == ("will", 4)
    assert second["fields"]["arthur"]["component"] == "mind"
    hotseat.throw("ana", 2)
    assert ("outcomes.succumbs", {}) in told(hotseat, "ana")


@pytest.mark.rules("SIM-029")
def test_an_aggressors_margin_may_stay_hidden(table):
    hotseat = table(4, 5)
    number = hotseat.start("mj", "resist", {"initiator": ["arthur"]})
    hotseat.fill("mj", number, {"attack": "fear", "hide_difficulty": True})
    hotseat.fill("mj", number, {"hidden_difficulty": -3})
    hotseat.throw("ana", number)
    hidden_from(hotseat, ("ana", "bob", "zoe"), '"hidden_difficulty"', '"margin"', '"result"')
    assert [move["move"] for move in moves_seen(hotseat, "mj")] == ["resist"]
    for seat in SEATS:
        assert ("outcomes.not_resisted", {}) in told(hotseat, seat)


@pytest.mark.rules("SIM-079", "SIM-029")
def test_a_fast_talker_opens_the_resistance_of_his_victim(table):
    hotseat = table(2, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"], "victim": ["nour"]},
                           {"arthur": {"common": "fast_talk"}})
    hotseat.throw("ana", number)
    follow = moves_seen(hotseat, "bob")[1]
    assert (follow["move"], follow["cast"]) == ("resist", {"nour": "initiator"})
    assert follow["fields"] == {"gm": {"aggressor_margin": 3}, "nour": {"component": "mind"}}


@pytest.mark.rules("SIM-024", "SIM-029", "SIM-079")
def test_a_hidden_difficulty_is_not_told_by_the_resistance_that_follows(table):
    """Value 8, dice 5: the margin handed to the victim would tell the difficulty, so it is hidden with it."""
    hotseat = table(2, 3, 3, 3)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"], "victim": ["nour"]},
                           {"arthur": {"common": "fast_talk"}})
    hotseat.fill("mj", number, {"hide_difficulty": True})
    hotseat.fill("mj", number, {"hidden_difficulty": -1})
    hotseat.throw("ana", number)
    hotseat.throw("bob", number + 1)
    hidden_from(hotseat, ("ana", "bob", "zoe"), "aggressor_margin", '"hidden_difficulty"', '"margin"', '"result"')
    follow = next(move for move in moves_seen(hotseat, "mj") if move["move"] == "resist")
    assert follow["fields"]["gm"] == {"hide_difficulty": True, "hidden_difficulty": -2}


# Poison, care


@pytest.mark.rules("SIM-066", "SIM-067")
def test_the_virulence_of_a_poison_is_the_game_masters(table):
    hotseat = table(5, 5)
    number = hotseat.start("ana", "resist-poison-or-disease", {"initiator": ["arthur"]})
    hotseat.fill("mj", number, {"virulence": -3, "ailment": "belladone"})
    assert set(chance(hotseat.odds("ana", number))) == {0, -1, -2, -3, -4}
    hotseat.throw("ana", number)
    hotseat.fill("mj", number, {"effect": "malus_1"})
    hotseat.accept("mj", number)
    hidden_from(hotseat, ("ana", "bob", "zoe"), "belladone", "virulence", '"margin"')
    assert hotseat.seen("ana")["records"]["arthur"]["sheet"]["test_malus"] == -1
    assert "ailments" not in hotseat.seen("ana")["records"]["arthur"]["sheet"]
    assert hotseat.seen("mj")["records"]["arthur"]["sheet"]["ailments"][0]["name"] == "belladone"


@pytest.mark.rules("SIM-066")
def test_who_is_poisoned_unawares_learns_nothing_at_all(table):
    hotseat = table(5, 5)
    before = {seat: page(hotseat, seat) for seat in ("ana", "bob", "zoe")}
    number = hotseat.start("mj", "resist-poison-in-secret", {"initiator": ["arthur"]})
    hotseat.fill("mj", number, {"virulence": -3, "ailment": "belladone"})
    hotseat.throw("mj", number)
    assert {seat: page(hotseat, seat) for seat in before} == before
    with pytest.raises(UnknownName):
        hotseat.odds("ana", number)


@pytest.mark.rules("SIM-071")
def test_only_the_carer_hears_the_name_of_an_illness(table):
    hotseat = table(3, 3)
    hotseat.add("nour", replace(READY["nour"], ailments=(Ailment("scorbut", -1, -1),)), owner="bob")
    number = hotseat.start("ana", "diagnose", {"initiator": ["arthur"], "patient": ["nour"]})
    hotseat.fill("mj", number, {"ailment": "scorbut"})
    hidden_from(hotseat, ("ana", "bob", "zoe"), "scorbut")
    hotseat.throw("ana", number)
    assert ("outcomes.told_diagnosis", {"ailment": "scorbut"}) in told(hotseat, "ana")
    assert all(key != "outcomes.told_diagnosis" for key, _ in told(hotseat, "zoe"))


@pytest.mark.rules("SIM-071")
def test_a_diagnosis_that_fails_names_nothing_to_anybody(table):
    hotseat = table(6, 5)
    hotseat.add("nour", replace(READY["nour"], ailments=(Ailment("scorbut", -1, -1),)), owner="bob")
    number = hotseat.start("ana", "diagnose", {"initiator": ["arthur"], "patient": ["nour"]})
    hotseat.fill("mj", number, {"ailment": "scorbut", "remedy": True})
    hotseat.throw("ana", number)
    hidden_from(hotseat, ("ana", "bob", "zoe"), "scorbut", '"remedy"')
    assert "scorbut" in page(hotseat, "mj")


@pytest.mark.rules("SIM-067")
def test_which_harm_a_poison_does_is_picked_unseen(table):
    hotseat = table(5, 5)
    number = hotseat.start("ana", "resist-poison-or-disease", {"initiator": ["arthur"]})
    hotseat.fill("mj", number, {"virulence": -3, "ailment": "belladone"})
    hotseat.throw("ana", number)
    hotseat.fill("mj", number, {"effect": "malus_1"})
    hidden_from(hotseat, ("ana", "bob", "zoe"), '"effect"', "malus_1", "ailment_kind", "belladone")
    assert "malus_1" in page(hotseat, "mj")


# A fight with somebody hidden


PROWLER = Extra(name="Le Rôdeur", category=Category.WEAK, trades=(Skill("Marin"),),
                talents=(Skill("Gourdin", "one_hand_stopping"),), hobbies=(Skill("Dés"),), weapons=(Weapon("club"),))


def prowls(table, **declared):
    """Arthur and a prowler whom nobody knows of: both have sealed but Arthur; the table, and the exchange."""
    hotseat = table(3, 3, 2, 2, 4, 4, 3, 3)
    hotseat.add("rodeur", PROWLER, "shadow")
    cast = {"initiator": ["arthur"], "opponent": ["rodeur"]}
    hotseat.throw("mj", hotseat.start("mj", "open-a-fight", cast))
    number = hotseat.start("mj", "exchange", cast, encounter=1)
    hotseat.seal("mj", number, {"weapon": "club", "target": "arthur", "defended": ["arthur"], "moves": False,
                                "aim": "none", "pull": False, "energies": {}, **declared}, "rodeur")
    return hotseat, number


@pytest.mark.rules("SIM-025", "SIM-093")
def test_whoever_prowls_is_sent_to_nobody_before_an_exchange_or_after_it(table):
    hotseat, number = prowls(table)
    others = ("ana", "bob", "zoe")
    hidden_from(hotseat, others, "Rôdeur", "rodeur")
    assert hotseat.odds("ana", number) is None
    hotseat.close("mj", number)  # Arthur's usual orders stand: nobody is stuck over somebody unknown
    hotseat.throw("mj", number)
    hidden_from(hotseat, others, "Rôdeur", "rodeur")
    assert "Rôdeur" in page(hotseat, "mj")


@pytest.mark.rules("SIM-025")
def test_what_a_prowler_sealed_makes_no_difference_to_anybody_elses_page(table):
    struck, stood = prowls(table)[0], prowls(table, weapon=None, target=None, defended=[], pull=True)[0]
    for seat in ("ana", "bob", "zoe"):
        assert page(struck, seat) == page(stood, seat)


@pytest.mark.rules("SIM-B05", "SIM-025")
def test_whoever_strikes_among_the_unknown_is_offered_nobody_and_seals_once(table):
    """Arthur's only opponent is hidden: whom he strikes is nobody he could name, and what he sealed stays sealed."""
    hotseat = table(3, 3, 2, 2, 4, 4, warrior_way="on")
    hotseat.add("rodeur", PROWLER, "shadow")
    number = hotseat.start("mj", "warriors-exchange", {"initiator": ["arthur", "nour"], "opponent": ["rodeur"]})
    blows = {"weapon": "club", "blows": [], "more_blows": 0, "more_blows_paid": "ps"}
    with pytest.raises(UnknownName):
        hotseat.fill("ana", number, {**blows, "blows": ["opponent"]}, "arthur")
    hotseat.seal("ana", number, blows, "arthur")
    hotseat.seal("mj", number, {**blows, "blows": ["arthur"]}, "rodeur")
    assert hotseat.waits_for(number) == {"bob"}
    hotseat.seal("bob", number, blows, "nour")
    hotseat.throw("mj", number)
    hidden_from(hotseat, ("ana", "bob", "zoe"), "Rôdeur", "rodeur")


@pytest.mark.rules("SIM-100")
def test_the_figures_of_a_beast_are_the_game_masters(table):
    hotseat = table()
    hotseat.add("loup", Creature(name="Loup", combat=9, perception=10), "creature")
    for seat in ("ana", "bob", "zoe"):
        assert hotseat.seen(seat)["records"]["loup"]["sheet"] == {"name": "Loup"}
    assert hotseat.seen("mj")["records"]["loup"]["sheet"]["combat"] == 9


@pytest.mark.rules("SIM-069")
def test_nobody_dresses_his_own_wounds(table):
    with pytest.raises(SomebodyElse):
        table(2, 2).start("ana", "dress-wounds", {"initiator": ["arthur"], "patient": ["arthur"]})


# The game master's own


@pytest.mark.rules("SIM-096", "SIM-098", "SIM-093")
def test_leanings_survival_and_cast_are_nobody_elses_business(table):
    hotseat = table(4, 4, 1)
    before = {seat: page(hotseat, seat) for seat in ("ana", "bob", "zoe")}
    made = hotseat.start("mj", "create-npc")
    hotseat.fill("mj", made, {"name": "Le Comte", "category": "strong", "trade": "Noble", "talents": "Escrime",
                              "hobbies": "Échecs", "arch_villain": True, "leanings": "loyal:9"})
    hotseat.throw("mj", made)
    hotseat.accept("mj", made)
    count = hotseat.records["Le Comte"].record
    assert (count.survival, count.leanings) == (1, (Leaning("loyal", "", 9),))
    tested = hotseat.start("mj", "test-a-leaning", {"subject": ["Le Comte"]}, {"gm": {"leaning": "loyal"}})
    hotseat.throw("mj", tested)
    escaped = hotseat.start("mj", "survival", {"subject": ["Le Comte"]})
    hotseat.throw("mj", escaped)
    assert [line[0] for line in told(hotseat, "mj")][-2:] == ["outcomes.told_kept", "outcomes.told_escapes"]
    assert {seat: page(hotseat, seat) for seat in before} == before
    for number in (made, tested, escaped):
        with pytest.raises(UnknownName):
            hotseat.odds("bob", number)
    with pytest.raises(NotYours):
        hotseat.start("ana", "survival")


# A new character comes to the table


@pytest.mark.rules("SIM-101")
def test_a_player_writes_a_character_and_the_game_master_approves(table):
    from paravent.game import to_plain

    hotseat = table()
    number = hotseat.start("bob", "create-character")
    assert hotseat.waits_for(number) == {"bob"}
    hotseat.fill("bob", number, {"sheet": to_plain(READY["cyprien"])})
    hotseat.answer("mj", number, "agree")
    hotseat.accept("mj", number)
    assert hotseat.records["Cyprien Da Costa-Weil"].owner == "bob"


@pytest.mark.rules("SIM-078")
def test_a_realm_that_a_common_test_does_not_bear_on_is_asked_anew_when_the_test_is_chosen(table):
    """The form is sent whole: what had been said of the realm came along, and is no longer offered."""
    hotseat = table(3, 4)
    number = hotseat.start("ana", "simple-test", {"initiator": ["arthur"]})
    said = {"component": "mind", "means": "perception", "realm": "mechanical"}
    hotseat.fill("ana", number, said)
    hotseat.fill("ana", number, {"common": "search_place", **said})
    (seen,) = moves_seen(hotseat, "ana")
    assert "realm" not in seen["fields"]["arthur"]
    hotseat.fill("ana", number, {"common": "search_place", **said, "realm": "mineral"})
    (seen,) = moves_seen(hotseat, "ana")
    assert seen["fields"]["arthur"]["realm"] == "mineral"


@pytest.mark.rules("SIM-025")
@pytest.mark.parametrize("value", [4, 11])
def test_in_a_duel_each_side_reads_the_chance_of_its_own_test(table, value):
    """What the other is worth is theirs: one's own test is weighed alone, and what is secretly added left out."""
    hotseat = table()
    number = hotseat.start("ana", "duel", {"initiator": ["arthur"], "opponent": ["nour"]}, {"arthur": {"value": 9}})
    hotseat.fill("bob", number, {"value": value}, "nour")
    hotseat.fill("mj", number, {"difficulty": f"pluie:-{value}"})
    assert hotseat.odds("ana", number) is None
    _, weighed = hotseat.odds_alone("ana", number)
    assert chance(weighed) == {None: Fraction(26, 36)}
    assert hotseat.odds_alone("zoe", number) is None
    assert hotseat.odds_alone("mj", number) is None
