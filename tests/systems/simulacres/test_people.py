"""Simulacres: making characters and cast, leanings, survival, adventure points."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paravent.dice import ScriptedDice, SeededDice, odds, play
from paravent.game import BadRecord, MissingField, from_plain, to_plain
from paravent.systems.simulacres import NOTICE, SYSTEM
from paravent.systems.simulacres.errors import OptionOff
from paravent.systems.simulacres.people.cast import (
    Category,
    Creature,
    Extra,
    Leaning,
    keeps_leaning,
    note_leaning,
    profile,
    survival_after,
    survives,
)
from paravent.systems.simulacres.people.character import (
    Character,
    NamedPoints,
    Skill,
    Weapon,
    build,
    find_rank,
    from_boxes,
    magic_resistance,
    void_value,
)
from paravent.systems.simulacres.people.creation import (
    COMPONENT_SPREADS,
    MEANS_SPREADS,
    REALM_SPREADS,
    derived,
    faults,
    sheet_magic_resistance,
)
from paravent.systems.simulacres.people.errors import (
    AboveTheMaximum,
    BoxesOff,
    LeaningOutOfBounds,
    NeedsAgreement,
    NoSuchSkill,
    TooExpensive,
    WrongJump,
)
from paravent.systems.simulacres.terms import Rank

RULINGS = SYSTEM.book.rulings()
CHARACTER = SYSTEM.kind("character")
ARTHUR = CHARACTER.ready("fr")["arthur"]


def keys(found):
    return [fault.key for fault in found if not fault.warning]


# Counting all of them


@pytest.mark.rules("SIM-101", "SIM-102", "SIM-103", "SIM-104")
def test_every_legal_spread_is_counted():
    """Section 3.2: 44 × 68 × 1107 = 3 312 144 characters, and 924 box patterns, every one legal."""
    assert (len(COMPONENT_SPREADS), len(MEANS_SPREADS), len(REALM_SPREADS)) == (44, 68, 1107)
    assert len(COMPONENT_SPREADS) * len(MEANS_SPREADS) * len(REALM_SPREADS) == 3_312_144
    spreads = [
        dict(zip(names, spread, strict=True))
        for names, all_of in (
            (("body", "instincts", "heart", "mind"), COMPONENT_SPREADS),
            (("perception", "action", "desire", "resistance"), MEANS_SPREADS),
        )
        for spread in all_of
    ]
    assert not any(keys(faults(replace(ARTHUR, **spread, life_points=-1), RULINGS)) for spread in spreads)


@pytest.mark.rules("SIM-104")
def test_every_pattern_of_six_black_boxes_is_legal():
    patterns = [tuple(2 if at in black else 1 for at in range(12)) for black in combinations(range(12), 6)]
    assert len(patterns) == 924
    assert {from_boxes(pattern) for pattern in patterns} <= set(COMPONENT_SPREADS)


@pytest.mark.rules("SIM-106")
def test_how_many_bodies_have_four_five_and_six_points():
    pairs = product(COMPONENT_SPREADS, MEANS_SPREADS)
    counted = Counter(build(components[0], means[3]).life_points for components, means in pairs)
    assert counted == {4: 574, 5: 1820, 6: 598}


# Legal sheets


@pytest.mark.rules("SIM-101", "SIM-102", "SIM-103", "SIM-107", "SIM-108")
def test_a_sheet_says_everything_that_is_wrong_at_once():
    wrong = replace(ARTHUR, body=7, perception=5, power=3, breath_points_max=5, trades=(), hobbies=(), life_points=-1)
    assert keys(faults(wrong, RULINGS)) == [
        "component_bounds", "component_total", "means_bounds", "means_total", "realm_bounds", "realm_total",
        "one_trade", "talents_and_hobbies", "breath_at_creation",
    ]
    with pytest.raises(BadRecord):
        CHARACTER.validated(wrong, RULINGS)


@pytest.mark.rules("SIM-102")
def test_a_means_at_zero_is_legal_but_unwise():
    unwise = replace(ARTHUR, perception=4, action=4, desire=2, resistance=0, life_points=-1)
    found = faults(unwise, RULINGS)
    assert [(fault.key, fault.warning) for fault in found] == [("means_at_zero", True)]
    assert CHARACTER.validated(unwise, RULINGS) is unwise


@pytest.mark.rules("SIM-110", "SIM-103")
@pytest.mark.option("special_energies", "on")
def test_a_special_energy_comes_out_of_the_same_eight_points(rulings):
    psychic = replace(ARTHUR, power=1, special_energies=(NamedPoints("psi", 1),))
    assert keys(faults(psychic, RULINGS)) == ["special_off"]
    assert keys(faults(psychic, rulings(special_energies="on"))) == []
    greedy = replace(ARTHUR, power=0, special_energies=(NamedPoints("psi", 2),))
    assert keys(faults(greedy, rulings(special_energies="on"))) == ["special_bounds"]


@pytest.mark.rules("SIM-104")
@pytest.mark.option("box_method", "on")
def test_the_box_method_is_a_choice_of_the_table(result, rulings):
    """Corps ■□■, Instincts □□■, Cœur □■■, Esprit □■□: 5, 4, 5, 4."""
    form = {"boxes": "■□■ □□■ □■■ □■□", "perception": 2, "action": 3, "desire": 3, "resistance": 2, "human": 2,
            "mechanical": 2, "power": 2, "speed": 1, "animal": 1, "trade": "Pilote", "talents": "Tir,Baratin",
            "hobbies": "Danse,Échecs"}
    nameless = result("create-character", initiator=form, options={"box_method": "on"})
    assert [key for key, *_ in nameless.unwise] == ["no_name"]
    form["name"] = "Ilan"
    assert result("create-character", initiator=form, options={"box_method": "on"}).unwise == ()
    with pytest.raises(BadRecord) as refused:
        result("create-character", initiator=form)
    assert keys(refused.value.values["faults"]) == ["boxes_off"]
    with pytest.raises(BoxesOff):
        from_boxes([2] * 12)
    other = replace(ARTHUR, component_boxes=(2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1))
    assert keys(faults(other, rulings(box_method="on"))) == ["boxes_differ"]


@pytest.mark.rules("SIM-105")
def test_the_void_is_worth_minus_one_to_everyone():
    assert void_value() == ARTHUR.void == derived(ARTHUR, RULINGS)["void"] == -1


@pytest.mark.rules("SIM-109")
@pytest.mark.option("magic_resistance", "on")
def test_magic_resistance_never_falls_below_its_floor(rulings):
    assert magic_resistance(4, 2, 1, None) == 6
    assert magic_resistance(6, 3, 2, 1) == 12
    assert magic_resistance(4, 2, 1, None, hampered=True) == 5
    assert "magic_resistance" not in derived(ARTHUR, RULINGS)
    wizard = replace(ARTHUR, mind=6, body=3, heart=4, talents=(Skill("Art magique"), Skill("Voile")), life_points=-1)
    assert derived(wizard, rulings(magic_resistance="on"))["magic_resistance"] == 6 + 2 + 1 + 1
    assert sheet_magic_resistance(replace(wizard, race="Elfe")) == 9


@pytest.mark.rules("SIM-106", "SIM-107")
def test_a_new_character_stands_with_everything_full():
    assert (ARTHUR.life_points, ARTHUR.breath_points, ARTHUR.psyche_points) == (5, 4, 4)
    shown = derived(ARTHUR, RULINGS)
    assert shown["matrix"]["perception"] == {"body": 7, "instincts": 8, "heart": 8, "mind": 7}
    assert (shown["build"], shown["condition"], shown["will"]["heart"]) == ("build_average", "conscious", 8)
    assert shown["last_chance"]["mineral"] == 2


def test_a_counter_above_its_maximum_is_a_fault():
    assert keys(faults(replace(ARTHUR, life_points=6), RULINGS)) == ["counter_above_maximum"]


@pytest.mark.rules("SIM-108")
def test_skills_are_found_by_name_whatever_the_accents():
    assert find_rank(ARTHUR, "MEDECIN") is Rank.TRADE
    assert find_rank(ARTHUR, "escrime") is Rank.TALENT
    assert find_rank(ARTHUR, "natation") is Rank.NONE


@settings(derandomize=True, deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_a_character_drawn_is_legal_and_comes_back_from_plain_values(seed):
    drawn = SeededDice(seed).resolve(CHARACTER.draw, RULINGS)
    assert keys(faults(drawn, RULINGS)) == []
    assert from_plain(Character, to_plain(drawn)) == drawn


def test_there_are_six_ready_characters_in_both_languages():
    for lang in ("fr", "en"):
        ready = CHARACTER.ready(lang)
        assert len(ready) == 6
        assert all(CHARACTER.validated(record, RULINGS) for record in ready.values())


@pytest.mark.rules("SIM-101")
def test_a_legal_sheet_comes_to_the_table(played):
    form = {"sheet": to_plain(ARTHUR), "name": "Arthur II"}
    ran = played("create-character", initiator=form)
    assert [(change.target, change.kind, change.after.name) for change in ran.changes] == [
        ("Arthur II", "character", "Arthur II")
    ]
    with pytest.raises(BadRecord) as refused:
        played("create-character", initiator={**form, "body": 6})
    assert keys(refused.value.values["faults"]) == ["component_total"]


# The cast


@pytest.mark.rules("SIM-093", "SIM-094")
def test_the_four_categories():
    tests = [profile(category)["test"] for category in Category]
    assert tests == [6, 8, 9, 11]
    weak = Extra(category=Category.WEAK)
    assert (weak.test, weak.life_points, weak.breath_points, weak.psyche_points) == (6, 4, 3, 3)


@pytest.mark.rules("SIM-093", "SIM-094", "SIM-095", "SIM-096", "SIM-098")
def test_an_arch_villain_is_written_in_one_line(played):
    ran = played("create-npc", gm={
        "name": "Le Comte", "category": "strong", "trade": "Noble", "talents": "Escrime/one_hand_blade",
        "hobbies": "Échecs", "genius": "chimie", "arch_villain": True, "leanings": "impulsive/calculator:5, rich",
        "weapons": "long_sword", "armour": "light",
    })
    (change,) = ran.changes
    count = change.after
    assert (change.kind, count.survival, count.test, count.armour.deflect) == ("shadow", 1, 9, 1)
    assert count.leanings == (Leaning("calculator", "impulsive", 9), Leaning("rich"))
    assert find_rank(count, "chimie") is Rank.GENIUS


@pytest.mark.rules("SIM-093", "SIM-094")
def test_a_category_bounds_its_skills_and_energies(result):
    rich = {"category": "exceptional", "trade": "Espion", "talents": "a,b", "hobbies": "c,d"}
    for form, wrong in (({"category": "weak", "trade": "Marin"}, "weak_without_skill"), (rich, "cast_energy")):
        with pytest.raises(BadRecord) as refused:
            result("create-npc", gm=form)
        assert keys(refused.value.values["faults"]) == [wrong]
    assert result("create-npc", gm={**rich, "energy": "speed"}).unwise == ()


@pytest.mark.rules("SIM-100")
def test_a_creature_has_a_combat_and_a_perception_value():
    kind = SYSTEM.kind("creature")
    assert kind.validated(Creature(name="Loup", combat=9, perception=11), RULINGS).life_points == 5
    with pytest.raises(BadRecord):
        kind.validated(Creature(combat=16), RULINGS)


@pytest.mark.rules("SIM-096")
def test_a_leaning_is_noted_on_its_stronger_side():
    assert note_leaning(9) == (9, False)
    assert note_leaning(4) == (10, True)
    with pytest.raises(LeaningOutOfBounds):
        note_leaning(3)


@pytest.mark.rules("SIM-096")
def test_a_leaning_is_read_on_the_sheet_and_stress_may_weigh_on_it(result):
    villain = Extra(name="Comte", leanings=(Leaning("Loyal", "Déloyal", 9), Leaning("Rich")))
    assert result("test-a-leaning", 4, 4, gm={"leaning": "loyal"}, sheets={"subject": villain}, subject={})
    assert not result("test-a-leaning", 4, 4, gm={"leaning": "loyal", "modifier": -1}, sheets={"subject": villain},
                      subject={})
    assert result("test-a-leaning", 5, 5, gm={"leaning": "rich"}, sheets={"subject": villain}, subject={})
    with pytest.raises(NoSuchSkill):
        result("test-a-leaning", 5, 5, gm={"leaning": "avare"}, sheets={"subject": villain}, subject={})
    assert odds(keeps_leaning, 9, 0, RULINGS)[True].denominator == 18


@pytest.mark.rules("SIM-098")
@pytest.mark.option("survival_cap", "five")
def test_survival_grows_and_may_be_capped(rulings, changes):
    assert play(survives, 6, RULINGS, dice=ScriptedDice(6)).result
    assert not play(survives, 6, rulings(survival_cap="five"), dice=ScriptedDice(6)).result
    assert (survival_after(5, RULINGS), survival_after(5, rulings(survival_cap="five"))) == (6, 5)
    villain = {"subject": Extra(name="Comte", arch_villain=True)}
    assert changes("survival", 2, sheets=villain, subject={}) == {("subject", "dead"): True}
    assert changes("survival", 1, sheets=villain, subject={}) == {}
    raised = changes("survival", gm={"adventure_over": True}, sheets=villain, subject={})
    assert raised == {("subject", "survival"): 2}
    with pytest.raises(MissingField):
        changes("survival", 1)


# Adventure points


@pytest.mark.rules("SIM-A05", "SIM-A10", "SIM-A14", "SIM-A01")
@pytest.mark.option("ruleset", "base_with_pa")
def test_adventures_pay_and_points_buy(changes, result, sheet):
    pa = {"ruleset": "base_with_pa"}
    arthur = {"initiator": sheet("arthur", adventure_points=17)}
    written = changes("award-and-spend-pa", gm={"feat": "mission"}, sheets=arthur, options=pa,
                      initiator={"purchase": "component_up", "what": "body"})
    assert written[("initiator", "body")] == 5
    assert written[("initiator", "adventure_points")] == 0
    assert written[("initiator", "ledger")] == (NamedPoints("mission", 3), NamedPoints("component_up", -20))
    with pytest.raises(OptionOff):
        result("award-and-spend-pa", gm={"feat": "mission"}, sheets=arthur)
    with pytest.raises(TooExpensive):
        result("award-and-spend-pa", initiator={"purchase": "breath_up"}, sheets=arthur, options=pa)


@pytest.mark.rules("SIM-A05")
def test_a_grown_character_is_held_to_the_maxima(rulings):
    grown = replace(ARTHUR, body=7, ledger=(NamedPoints("component_up", -20),), life_points=-1)
    pa = rulings(ruleset="base_with_pa")
    assert keys(faults(grown, pa)) == []
    assert keys(faults(replace(grown, body=8, life_points=-1), pa)) == ["component_maximum"]
    assert keys(faults(grown, RULINGS))[:2] == ["component_bounds", "component_total"]


@pytest.mark.rules("SIM-A05", "SIM-A11", "SIM-A14")
@pytest.mark.option("ruleset", "base_with_pa")
@pytest.mark.parametrize(("bought", "written"), [
    ({"purchase": "breath_up"}, {"breath_points_max": 5, "breath_points": 5}),
    ({"purchase": "realm_or_energy_1_2", "what": "human"}, {"human": 2}),
    ({"purchase": "hobby_base", "what": "Voile"}, {"hobbies": 3}),
    ({"purchase": "talent_base", "what": "Tir/firearm"}, {"talents": 3}),
    ({"purchase": "trade_base", "what": "escrime"}, {"trades": 2, "talents": 1}),
    ({"purchase": "last_chance"}, {"last_chance_used": False, "last_chances_served": 1}),
])
def test_what_each_purchase_writes_on_the_sheet(changes, sheet, bought, written):
    arthur = {"initiator": sheet("arthur", adventure_points=60, last_chance_used=True)}
    got = changes("award-and-spend-pa", initiator=bought, sheets=arthur, options={"ruleset": "base_with_pa"})
    shown = {path: len(after) if isinstance(after, tuple) else after for (_, path), after in got.items()}
    assert {path: shown[path] for path in written} == written


@pytest.mark.rules("SIM-A04", "SIM-A05")
@pytest.mark.option("ruleset", "campaign")
def test_in_a_campaign_talents_climb_step_by_step(changes, sheet):
    campaign = {"ruleset": "campaign"}
    arthur = {"initiator": sheet("arthur", adventure_points=60, talent_levels=(NamedPoints("riding", 1),))}
    jump = {"purchase": "talent_1_2", "what": "riding"}
    with pytest.raises(NeedsAgreement):
        changes("award-and-spend-pa", initiator=jump, sheets=arthur, options=campaign)
    got = changes("award-and-spend-pa", initiator=jump, gm={"agreed": True}, sheets=arthur, options=campaign)
    assert got[("initiator", "talent_levels")] == (NamedPoints("riding", 2),)
    with pytest.raises(WrongJump):
        changes("award-and-spend-pa", initiator={"purchase": "talent_0_1", "what": "riding"}, sheets=arthur,
                options=campaign)
    with pytest.raises(AboveTheMaximum):
        changes("award-and-spend-pa", initiator={"purchase": "component_up", "what": "body"},
                sheets={"initiator": sheet("arthur", body=7, adventure_points=60, life_points=-1)}, options=campaign)


# The notice


def test_the_notice_names_the_mark_its_owner_and_its_terms():
    assert SYSTEM.notice == NOTICE
    assert "Simulacres™ est une marque déposée de Pierre Rosenthal et soumis aux copyrights ©" in NOTICE["fr"]
    assert "non commercial" in NOTICE["fr"]
    assert "non-commercial" in NOTICE["en"]


@pytest.mark.rules("SIM-101", "SIM-102", "SIM-103", "SIM-108")
def test_a_sheet_that_is_written_says_what_is_left_to_place(system, rulings, sheet):
    """Eighteen, ten and eight points; one trade; two talents and two hobbies, or three and none, or one and four."""
    def left(record, **options):
        return {one.id: one.left for one in system.kind("character").points(record, rulings(**options))}

    blank = left(Character())
    assert blank == {"components": 18, "means": 10, "realms_and_energies": 8, "trade": 1, "talents": 2, "hobbies": 2}
    assert set(left(sheet("arthur")).values()) == {0}
    three = replace(sheet("arthur"), talents=(Skill("a"), Skill("b"), Skill("c")), hobbies=())
    assert left(three)["talents"] == left(three)["hobbies"] == 0
    assert "talents" not in left(Character(), ruleset="campaign")


def test_skills_are_at_hand_in_both_languages_and_options_that_are_off_ask_nothing(system, rulings):
    kind = system.kind("character")
    assert "Pilote" in kind.suggests["trades.name"]("fr")
    assert len(kind.suggests["hobbies.name"]("en")) >= 4
    assert kind.moot(rulings()) >= {"component_boxes", "special_energies", "talent_levels", "ledger"}
    assert "component_boxes" not in kind.moot(rulings(box_method="on"))


def test_a_weapon_or_a_family_that_no_table_has_is_refused_where_it_stands() -> None:
    known = replace(ARTHUR, weapons=(Weapon("knife"), Weapon(name="Harpon", category_pv="E")))
    assert not [fault for fault in faults(known, RULINGS) if "unknown" in fault.key]
    wrong = replace(known, weapons=(Weapon("excalibur"),), hobbies=(Skill("Boxe", "poings"), Skill("Chant")))
    found = {(fault.key, fault.at, fault.values["name"]) for fault in faults(wrong, RULINGS) if "unknown" in fault.key}
    assert found == {("unknown_weapon", "weapons", "excalibur"), ("unknown_family", "hobbies", "poings")}


def test_every_flaw_of_a_new_sheet_says_which_field_mends_it() -> None:
    blank = Character(special_energies=(NamedPoints("ki", 4),))
    assert {fault.at for fault in faults(blank, RULINGS) if not fault.warning} == {
        "body", "perception", "mineral", "special_energies", "trades", "talents"}
