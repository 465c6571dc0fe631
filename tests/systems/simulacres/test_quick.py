"""Simulacres: people in one line, ready thugs, guards and beasts, and favourite tests one touch away."""

import pytest

from paravent.game import NotUnderstood, UnknownName, to_plain
from paravent.systems.simulacres.combat.fight import training_of, weapon_of
from paravent.systems.simulacres.combat.fighters import fighter_of
from paravent.systems.simulacres.people.cast import Category
from paravent.systems.simulacres.people.character import Favourite
from paravent.systems.simulacres.people.errors import NothingToKeep
from paravent.systems.simulacres.people.moves_people import skills_named


def told(newcomers):
    return [(one.kind, one.record.name, [weapon.id for weapon in one.record.weapons]) for one in newcomers]


@pytest.mark.rules("SIM-093", "SIM-094")
def test_three_average_thugs_come_in_one_line_in_either_language(system, rulings):
    french = system.quick_people("trois brutes moyennes, massue", "fr")
    assert told(french) == [("extra", f"Brute {n}", ["club"]) for n in (1, 2, 3)]
    english = system.quick_people("3 average thugs with clubs", "en")
    assert told(english) == [("extra", f"Thug {n}", ["club"]) for n in (1, 2, 3)]
    for one in (*french, *english):
        assert one.record.category is Category.AVERAGE
        assert not one.seen, "players know nothing of them yet"
        assert [fault for fault in system.kind("extra").check(one.record, rulings()) if not fault.warning] == []


@pytest.mark.rules("SIM-093", "SIM-100")
def test_a_line_says_category_weapon_armour_name_and_who_is_in_sight(system):
    marcel, *wolves = system.quick_people("Marcel, garde fort, pistolet, cuir clouté, visible; deux loups", "fr")
    assert (marcel.record.name, marcel.record.category, marcel.seen) == ("Marcel", Category.STRONG, True)
    assert (marcel.record.weapons[0].id, marcel.record.armour.absorb) == ("pistol_medium", 2)
    assert told(wolves) == [("creature", "Loup 1", ["fangs_medium"]), ("creature", "Loup 2", ["fangs_medium"])]


def test_what_a_line_does_not_say_clearly_is_refused_and_named(system):
    for line, words in (("", "–"), ("0 garde", "0"), ("le garde : 5, 3 dés", "5"), ("garde, matraque 2", "matraque 2"),
                        ("5 gardes, 4 dés", "4 dés")):
        with pytest.raises(NotUnderstood) as refused:
            system.quick_people(line, "fr")
        assert refused.value.values["words"] == words, line


def test_somebody_of_any_other_word_is_called_by_it(system):
    assert told(system.quick_people("deux contrebandiers forts, couteau", "fr")) == [
        ("extra", f"Contrebandier {n}", ["knife"]) for n in (1, 2)]
    for line, name in (("un robot de sécurité", "Robot de sécurité"), ("un tireur d'élite, fusil", "Tireur d'élite"),
                       ("une brute verte", "Brute verte"), ("garde Marcel", "Marcel"),
                       ("le mendiant armé", "Mendiant")):
        assert [one.record.name for one in system.quick_people(line, "fr")] == [name], line
    (smuggler,) = system.quick_people("the smuggler, one scar, gun", "en")
    assert (smuggler.record.name, smuggler.record.notes) == ("Smuggler", "one scar")
    assert [weapon.id for weapon in smuggler.record.weapons] == ["pistol_medium"]


@pytest.mark.rules("SIM-093", "SIM-094", "SIM-100")
def test_everybody_ready_is_legal_and_knows_the_weapon_in_hand(system, rulings):
    for kind in ("extra", "shadow", "creature"):
        for lang in ("fr", "en"):
            for name, record in system.kind(kind).ready(lang).items():
                faults = system.kind(kind).check(record, rulings())
                assert [fault for fault in faults if not fault.warning] == [], (kind, name)
    thug = system.kind("extra").ready("fr")["thug"]
    ctx = system.context("shoot", {"opponent": [{}]}, {"opponent": thug})
    fighter = fighter_of(ctx, ctx.one("opponent"))
    assert training_of(fighter, weapon_of(fighter)).value == "hobby"


def test_a_family_that_no_weapon_has_is_refused(system):
    assert skills_named(["Escrime/Lame à une main"])[0].family == "one_hand_blade"
    assert skills_named(["Fencing/foil"])[0].family == "foil"
    with pytest.raises(UnknownName):
        skills_named(["Escrime/lames"])


# Favourites


@pytest.mark.rules("SIM-002")
def test_a_favourite_is_kept_on_the_sheet_with_its_sum_and_starts_its_test(changes, system, sheet, rulings):
    arthur = sheet("arthur")
    written = changes("keep-a-test", sheets={"initiator": arthur}, initiator={
        "favourite": "Panser proprement", "component": "body", "means": "action", "realm": "human",
        "skill": "Médecin", "energies": "precision:1", "effect_text": "le blessé tient debout"})
    kept = written["initiator", "favourites"]
    assert kept == (Favourite("Panser proprement", "", "body", "action", "human", "Médecin", 0, 0, 1,
                              "le blessé tient debout"),)
    (shortcut,) = system.kind("character").shortcuts(sheet("arthur", favourites=kept), rulings())
    assert (shortcut.move, shortcut.number) == ("simple-test", 4 + 3 + 1 + 1)
    ctx = system.context(shortcut.move, {"initiator": [shortcut.fills]}, {"initiator": arthur})
    assert ctx.one().filled["energies"]["precision"] == 1
    assert shortcut.effect is not None
    assert "le blessé tient debout" in system.words.say("fr", shortcut.effect[0], **shortcut.effect[1])
    assert system.kind("character").from_plain(to_plain(sheet("arthur", favourites=kept))).favourites == kept


@pytest.mark.rules("SIM-002")
def test_a_favourite_is_replaced_by_its_name_and_forgotten(changes, played, sheet):
    kept = sheet("arthur", favourites=(Favourite("Conduire", "drive"),))
    anew = {"favourite": "conduire", "common": "physical"}
    again = changes("keep-a-test", sheets={"initiator": kept}, initiator=anew)
    assert again["initiator", "favourites"] == (Favourite("conduire", "physical"),)
    gone = changes("keep-a-test", sheets={"initiator": kept}, initiator={"favourite": "Conduire", "forget": True})
    assert gone["initiator", "favourites"] == ()
    with pytest.raises(NothingToKeep):
        played("keep-a-test", sheets={"initiator": kept}, initiator={"favourite": "Rien"})


@pytest.mark.rules("SIM-037", "SIM-051")
def test_a_weapon_that_shoots_is_one_touch_away_with_its_columns(system, sheet, rulings):
    armed = sheet("arthur", weapons=(*sheet("arthur").weapons, type(sheet("arthur").weapons[0])("pistol_medium")))
    (shot,) = system.kind("character").shortcuts(armed, rulings())
    assert (shot.move, dict(shot.fills)) == ("shoot", {"weapon": "pistol_medium"})


@pytest.mark.rules("SIM-034", "SIM-037")
def test_a_weapon_that_is_touched_strikes_or_shoots_and_is_not_sold(system, sheet, rulings):
    weapon = type(sheet("arthur").weapons[0])
    empty = weapon("rifle_large", capacity=2, rounds=0)
    carried = (weapon("club"), weapon("fist_amateur"), weapon("pistol_medium"), empty)
    begins = [(one.name, one.move, dict(one.fills)) for one in
              system.kind("character").begins(sheet("arthur", weapons=carried), rulings())]
    alone = [one for one in begins if "exchange" not in one[1]]
    assert alone == [("club", "simple-test", {"common": "melee_armed"}),
                     ("fist_amateur", "simple-test", {"common": "melee_unarmed"}),
                     ("pistol_medium", "shoot", {"weapon": "pistol_medium"})]
    assert ("club", "exchange", {"weapon": "club"}) in begins, "the weapon of an exchange that waits for one"
    assert not system.move("buy-or-sell").field("sold").touched
