"""What a page needs to know of each moment: what is asked, when, how it weighs, and what is not offered at all."""

from dataclasses import replace
from typing import Any

import pytest

from paravent.dice import Choice, ScriptedDice
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    GM_ONLY,
    Ask,
    Context,
    Figure,
    MissingField,
    NotUnderstood,
    Pills,
    Pips,
    Rulings,
    Steps,
    to_plain,
)
from paravent.game.asking import field_facts, told_of_options
from paravent.game.move import unfilled
from paravent.game.running import Ran, run
from paravent.game.telling import Teller
from paravent.systems.conteur import SYSTEM
from paravent.systems.conteur.facts import HUMAN_PARTS, SkillField
from paravent.systems.conteur.people.character import Character, Skill, check, ideas, points_left
from paravent.systems.conteur.people.errors import Unnamed
from paravent.systems.conteur.rolls.announce import action_of
from paravent.systems.conteur.rolls.complex import ComplexAction, Used
from paravent.systems.conteur.rolls.errors import AgainstOneself, EmptyPool, IdleEnergy, LuckIsNoTarget
from paravent.table.events import House
from paravent.table.hotseat import Hotseat
from paravent.table.sight import Sight
from paravent.web.sheets import SheetDrawer
from seats import move_seen, page, stands

SEATS = {"ana": "gm", "bob": "player", "cleo": "player", "sam": "spectator"}
TIR, PARLER = Skill(SkillField.ACTIONS, "Tir", 3), Skill(SkillField.INTERACTIONS, "Parler", 2)
HURT = {"left_arm": 2}


def person(**fields: Any) -> Character:
    wounds = {**dict.fromkeys(HUMAN_PARTS, 0), **fields.pop("wounds", {})}
    return Character(**{"name": "Sacha", "wounds": wounds, "luck": 0, "energy": 15, "skills": (TIR, PARLER), **fields})


def rulings(**options: str) -> Rulings:
    return SYSTEM.book.rulings(options)


def context(move: str, sheet: Character, form: dict[str, Any] | None = None, role: str = "initiator", day: int = 0,
            gm: dict[str, Any] | None = None, state: Any = None, **options: str) -> Context:
    filled = {role: [form or {}], "gm": [gm or {}]}
    return SYSTEM.context(move, filled, {role: sheet}, rulings(**options), state, day=day)


def play(ctx: Context, *faces: int) -> Ran:
    return run(ctx, ScriptedDice(*faces))


def asked(ctx: Context) -> set[str]:
    """The fields that a move asks of whoever acts, as things stand."""
    return {field.id for field in ctx.move.fields if field.role == "initiator" and field.applies(ctx)}


def waited_for(ctx: Context) -> set[str]:
    """What the dice wait for, as things stand."""
    return {field.id for step in ctx.move.steps if isinstance(step, Ask) for _, field in unfilled(ctx, step)}


def table(*faces: int, sacha: Character | None = None, **options: str) -> Hotseat:
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    hotseat.add("sacha", sacha or person(), owner="bob")
    hotseat.add("alix", person(name="Alix"), owner="cleo")
    return hotseat


# The handful of dice

SHOT = {"attribute": "dexterity", "skill": "Tir"}


@pytest.mark.rules("D10-013")
@pytest.mark.parametrize(("faces", "asked_when", "asks"), [
    pytest.param((1, 4, 3), "useful", False, marks=pytest.mark.option("rights_asked", "useful")),
    pytest.param((1, 4, 3), "always", True, marks=pytest.mark.option("rights_asked", "always")),
    ((1, 4, 9), "useful", True),
])
def test_one_is_asked_what_to_throw_again_only_where_that_can_help_or_the_table_says_always(
    faces: tuple[int, ...], asked_when: str, asks: bool
) -> None:
    hotseat = table(*faces, rights_asked=asked_when)
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": SHOT})
    hotseat.fill("ana", number, {"difficulty": 1})
    hotseat.throw("bob", number)
    op = hotseat.moves[number]
    assert isinstance(op.pending, Choice) == asks
    assert asks or op.results["throw"].rights_left == 1


def test_a_row_of_skills_is_named_by_the_skill_and_not_by_its_field() -> None:
    assert SYSTEM.rows["skills"].named == "name"


def test_attribute_and_skill_are_touched_with_what_the_sheet_has_for_them() -> None:
    move = SYSTEM.moves["throw"]
    assert [move.field(name).shape for name in ("attribute", "skill")] == [Pills(weighed=False)] * 2
    facts = field_facts(move.field("skill"), context("throw", person()))
    assert (facts.options, facts.place) == (["Tir", "Parler"], "essential")


@pytest.mark.rules("D10-004", "D10-015")
@pytest.mark.parametrize(("attribute", "skill", "difficulty", "told"), [
    (9, 2, 1, {"2": 1}), (9, 4, 1, {"2": 1, "4": 3}), (5, 4, 1, {}), (9, 4, 3, {"4": 3}),
])
def test_it_is_told_when_fewer_dice_are_wiser(
    attribute: int, skill: int, difficulty: int, told: dict[str, int]
) -> None:
    sheet = person(dexterity=attribute, skills=(replace(TIR, value=skill),))
    ctx = context("throw", sheet, SHOT, gm={"difficulty": difficulty})
    found = told_of_options(ctx.move.field("dice"), ctx)
    assert {number: said.values["n"] for number, said in found.items()} == told
    hidden = context("throw", sheet, SHOT, gm={"hidden": True, "hidden_difficulty": difficulty})
    assert told_of_options(ctx.move.field("dice"), hidden) == {}  # it would tell the difficulty


def test_without_a_die_no_difficulty_says_that_it_is_out_of_reach_and_no_roll_is_suggested() -> None:
    steps = SYSTEM.moves["throw"].field("difficulty", "gm")
    weighed = [field_facts(steps, context("throw", person(), form)).shape.weighed
               for form in ({}, {"attribute": "dexterity"}, {"attribute": "dexterity", "skill": 0}, SHOT)]
    assert weighed == [True, True, False, True]  # of a skill that is still to be said, nobody can say yet
    rolls = [move for name, move in SYSTEM.moves.items() if move.group == "rolls" and name != "odds-helper"
             and not move.encounter and "opponent" not in {role.id for role in move.cast if role.least}]
    for sheet, suits in ((person(), True), (person(skills=()), True), (person(skills=(), energy=0), False),
                         (person(skills=(), energy=6), False), (person(skills=(), energy=24), True)):
        assert {move.makes_sense(context(move.id, sheet)) for move in rolls} == {suits}, sheet


@pytest.mark.rules("D10-004")
@pytest.mark.parametrize(("skill", "energy", "asked"), [(0, 15, False), (0, 24, True), ("Tir", 15, True)])
def test_whoever_has_no_die_is_not_asked_how_many(skill: Any, energy: int, asked: bool) -> None:
    ctx = context("throw", person(energy=energy), {"attribute": "dexterity", "skill": skill}, gm={"difficulty": 1})
    dice = ctx.move.field("dice")
    assert bool(dice.when and dice.when(ctx)) is asked
    low, high = dice.type.bounds(ctx)
    assert low <= high


@pytest.mark.rules("D10-004", "D10-035")
@pytest.mark.parametrize(("sheet", "form", "asked"), [
    (person(), {}, True), (person(energy=24), {}, False), (person(), {"energy_dice": 1}, False),
    (person(), {"skill": 0}, False), (person(), {"skill": "Tir"}, False), (person(skills=()), {}, False),
])
def test_whoever_would_have_no_die_without_a_skill_is_asked_for_it_before_the_dice(
    sheet: Character, form: dict[str, Any], asked: bool
) -> None:
    ctx = context("throw", sheet, {"attribute": "dexterity", **form}, gm={"difficulty": 1})
    try:
        action_of(ctx, ctx.one())
        missing = ""
    except MissingField as error:
        missing = error.field
    assert missing == ("skill" if asked else "")


def test_every_1_and_every_10_has_a_name_for_all_who_see_the_dice() -> None:
    called = {"fr": ("succès critique", "échec critique"), "en": ("critical success", "critical failure")}
    for lang, names in called.items():
        teller = Teller(lang, SYSTEM)
        assert tuple(teller.face_word(10, face) for face in (1, 10)) == names
        assert {teller.face_word(10, face) for face in range(2, 10)} | {teller.face_word(6, 1)} == {""}


@pytest.mark.rules("D10-040")
def test_a_limb_is_asked_about_as_soon_as_one_is_seriously_wounded() -> None:
    assert "limbs" not in asked(context("throw", person(wounds={"left_arm": 1}), SHOT))
    ctx = context("throw", person(wounds=HURT), SHOT)
    limbs = ctx.move.field("limbs")
    assert "limbs" in asked(ctx)
    assert limbs.placed == "essential"
    facts = field_facts(limbs, ctx)
    assert facts.of
    assert facts.of.options == ["left_arm"]
    assert waited_for(ctx) == {"limbs"}


@pytest.mark.rules("D10-040")
def test_the_dice_wait_until_the_wounded_limb_is_spoken_of() -> None:
    hotseat = table(3, 3, 3, sacha=person(wounds=HURT))
    number = hotseat.start("bob", "throw", {"initiator": ["sacha"]}, {"sacha": SHOT})
    assert move_seen(hotseat, "cleo")["waits_for"] == ["bob"]
    hotseat.fill("bob", number, {"limbs": ["left_arm"]})
    hotseat.throw("bob", number)
    assert hotseat.moves[number].results["throw"].dice == 1


@pytest.mark.rules("D10-006")
@pytest.mark.parametrize("form", [{"dice": 1}, {"dice": 3}, {"energy_dice": 1}])
def test_an_empty_pool_is_refused_as_such(form: dict[str, int]) -> None:
    exhausted = person(energy=2, skills=(replace(TIR, value=1),))
    with pytest.raises(EmptyPool) as refusal:
        play(context("throw", exhausted, {**SHOT, **form}))
    assert refusal.value.rule_id == "D10-006"


@pytest.mark.rules("D10-029")
def test_luck_is_offered_as_an_attribute_only_where_the_table_rolls_on_it() -> None:
    field = SYSTEM.move("throw").field("attribute")
    assert "luck" not in (field_facts(field, context("throw", person())).options or ())
    allowed = context("throw", person(), luck_as_target="true")
    assert "luck" in (field_facts(field, allowed).options or ())
    with pytest.raises(LuckIsNoTarget):
        play(context("throw", person(), {**SHOT, "attribute": "luck"}))


@pytest.mark.option("idle_energy", "refused")
@pytest.mark.option("idle_energy", "allowed")
@pytest.mark.rules("D10-004", "D10-061")
def test_a_die_paid_for_is_thrown() -> None:
    form = {**SHOT, "energy_dice": 1, "dice": 3}
    with pytest.raises(IdleEnergy):
        play(context("throw", person(), form))
    assert play(context("throw", person(), {**form, "dice": 4}), 3, 3, 3, 3).plays["throw"].result.dice == 4
    assert play(context("throw", person(), form, idle_energy="allowed"), 3, 3, 3).plays["throw"].result.dice == 3


@pytest.mark.rules("D10-004")
def test_every_number_of_dice_from_the_pool_down_is_a_pill_to_weigh() -> None:
    ctx = context("throw", person(), SHOT)
    dice = ctx.move.field("dice")
    assert isinstance(dice.shape, Pills)
    assert dice.placed == "essential"
    assert field_facts(dice, ctx).options == [3, 2, 1]
    energy = ctx.move.field("energy_dice")
    assert energy.shape == Pips("energy")
    assert energy.placed == "essential"
    assert "energy_dice" not in asked(context("throw", person(energy=0), SHOT))
    assert "energy_dice" not in asked(context("reflex-roll", person(), SHOT))


@pytest.mark.rules("D10-038")
def test_a_counterpart_is_asked_for_only_where_the_skill_needs_one_and_nobody_is_there() -> None:
    assert "counterpart" not in asked(context("throw", person(), SHOT))
    assert "counterpart" in asked(context("throw", person(), {**SHOT, "skill": "Parler"}))


def test_the_difficulty_is_the_game_master_s_judgement_in_named_steps() -> None:
    for move in ("throw", "reflex-roll", "start-complex-action"):
        difficulty = SYSTEM.move(move).field("difficulty")
        assert difficulty.placed == "judgement"
        assert isinstance(difficulty.shape, Steps)
        for lang in ("fr", "en"):
            assert all(SYSTEM.words.find(lang, f"fields.difficulty.steps.{step}") for step in difficulty.shape.values)


@pytest.mark.rules("D10-054")
def test_what_is_paid_is_certain_and_what_knocks_out_waits() -> None:
    ran = play(context("throw", person(energy=5, skills=(replace(TIR, value=5),)),
                       {"attribute": 5, "skill": "Tir", "energy_dice": 1}), 10, 3, 9)
    assert {change.path: change.weighs for change in ran.changes} == {"energy": "certain", "unconscious": "grave"}


@pytest.mark.rules("D10-004")
def test_the_whole_pool_is_thrown_unless_fewer_are_chosen() -> None:
    ctx = context("throw", person(), SHOT)
    dice = ctx.move.field("dice")
    assert dice.usual_value(ctx) == 3
    assert dice.usual_value(context("throw", person(energy=20), {**SHOT, "energy_dice": 1})) == 5
    assert "dice" not in asked(context("throw", person(), {"skill": "Tir"}))  # nobody knows yet what it takes
    assert play(ctx, 3, 3, 9).plays["throw"].result.dice == 3


@pytest.mark.rules("D10-007", "D10-013")
def test_whoever_may_reroll_is_told_how_many_successes_are_needed_unless_that_is_hidden() -> None:
    for form, goal in (({"difficulty": 2}, 2), ({"hidden": True, "hidden_difficulty": 2}, None)):
        hotseat = table(1, 9, 9)
        number = hotseat.start("ana", "throw", {"initiator": ["sacha"]}, {"gm": form})
        hotseat.fill("bob", number, SHOT)
        hotseat.throw("bob", number)
        asked = hotseat.moves[number].pending
        assert isinstance(asked, Choice)
        assert dict(asked.values).get("goal") == goal


# Opposition


@pytest.mark.rules("D10-030", "D10-061")
def test_what_each_side_of_an_opposition_spends_is_its_own_and_waits_for_nobody() -> None:
    hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces((3, 3, 9, 7, 7, 7, 7, 3)))
    hotseat.state = replace(hotseat.state, house=House("prudence", "at-will"))
    hotseat.add("sacha", person(), owner="bob")
    hotseat.add("alix", person(name="Alix", luck=2), owner="cleo")
    number = hotseat.start("bob", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]}, {"sacha": SHOT})
    hotseat.fill("cleo", number, {**SHOT, "energy_dice": 1}, actor="alix")
    hotseat.throw("bob", number)
    hotseat.answer("cleo", number, "luck")
    hotseat.answer("cleo", number, {"dice": [1]})
    assert hotseat.moves[number].phase == "closed"
    alix = hotseat.records["alix"].record
    assert (alix.energy, alix.luck_used) == (14, 1)


@pytest.mark.rules("D10-023", "D10-030")
def test_the_odds_of_an_opposition_suppose_nothing_of_luck_that_one_may_not_know() -> None:
    hotseat = table()
    number = hotseat.start("bob", "opposed-roll", {"initiator": ["sacha"], "opponent": ["alix"]}, {"sacha": SHOT})
    hotseat.fill("cleo", number, SHOT, actor="alix")
    for seat in SEATS:
        shown = hotseat.odds(seat, number)
        assert shown is not None
        assert set(shown) == {None}


@pytest.mark.rules("D10-023")
@pytest.mark.parametrize("move", ["opposed-roll", "hidden-opposed-roll"])
def test_nobody_is_their_own_opponent(move: str) -> None:
    hotseat = table(3, 3, 3, 3, 3, 3)
    with pytest.raises(AgainstOneself):
        hotseat.start("bob", move, {"initiator": ["sacha"], "opponent": ["sacha"]})


@pytest.mark.parametrize("line", ["le garde : 5, 3 dés", "the guard: 5, 3 dice", "le garde, 5, 3 dés"])
def test_a_nameless_opponent_is_one_line_that_players_do_not_see(line: str) -> None:
    (guard,) = SYSTEM.quick_people(line, "fr") if SYSTEM.quick_people else ()
    record = guard.record
    assert isinstance(record, Character)
    assert (guard.kind, guard.seen, record.dexterity, record.skills[0].value) == ("character", False, 5, 3)
    hotseat = table(3, 3, 3, 9, 9, 9)
    hotseat.add("guard", record, audience=GM_ONLY)
    number = hotseat.start("ana", "opposed-roll", {"initiator": ["sacha"], "opponent": ["guard"]})
    assert all(record.name not in page(hotseat, seat) for seat in ("bob", "cleo", "sam"))
    hotseat.fill("ana", number, {"attribute": 5, "skill": record.skills[0].name}, actor="guard")


def test_people_made_in_a_line_throw_the_dice_that_were_said_though_no_skill_is_named() -> None:
    (guard,) = SYSTEM.quick_people("le garde : 5, 3 dés", "fr") if SYSTEM.quick_people else ()
    hotseat = table(3, 3, 3, 9, 9, 9)
    hotseat.add("guard", guard.record, audience=GM_ONLY)
    number = hotseat.start("ana", "opposed-roll", {"initiator": ["sacha"], "opponent": ["guard"]}, {"sacha": SHOT})
    hotseat.fill("ana", number, {"attribute": "dexterity"}, actor="guard")
    hotseat.throw("ana", number)
    fell = hotseat.state.move(number).throws[0].dice
    assert len([face for row in fell if row.role == "opponent" for face in row.faces]) == 3


def test_several_people_come_in_one_line_and_what_is_not_understood_is_refused() -> None:
    assert SYSTEM.quick_people is not None
    found = SYSTEM.quick_people("2 gardes : 6, 4 dés ; la douanière : 5, en vue", "fr")
    assert [(one.record.name, one.seen) for one in found if isinstance(one.record, Character)] == [
        ("Garde 1", False), ("Garde 2", False), ("Douanière", True)]
    for line in ("", "garde : 3 pommes", ": 5, 3 dés", "30 gardes : 5", "12 gardes ; neuf brutes"):
        with pytest.raises(NotUnderstood):
            SYSTEM.quick_people(line, "fr")


@pytest.mark.parametrize(("line", "name", "skill"), [
    ("2 voyous", "Voyou 2", "Bagarre"), ("un chien de garde", "Chien de garde", "Mordre"),
    ("la passante, en vue", "Passante", "Débrouille"), ("the guard dog", "Guard dog", "Mordre"),
    ("trois brutes, massue", "Brute 3", "Bagarre"), ("deux passants visibles", "Passant 2", "Débrouille"),
    ("un molosse", "Molosse", "Mordre"),
])
def test_thugs_beasts_and_bystanders_are_ready_under_their_word(line: str, name: str, skill: str) -> None:
    assert SYSTEM.quick_people is not None
    found = SYSTEM.quick_people(line, "fr")[-1].record
    assert isinstance(found, Character)
    assert (found.name, found.skills[0].name, found.luck) == (name, skill, 0)
    assert not [fault for fault in check(found, rulings()) if not fault.warning]


def test_a_line_says_who_is_seen_wherever_it_says_so_and_what_has_no_number_is_noted() -> None:
    assert SYSTEM.quick_people is not None
    for line, seen in (("deux passants visibles", True), ("trois brutes en vue, massue", True), ("une brute", False),
                       ("deux brutes, massue, visibles", True), ("two thugs in sight", True), ("brute, cachée", False)):
        assert {one.seen for one in SYSTEM.quick_people(line, "fr")} == {seen}, line
    (thug,) = SYSTEM.quick_people("une brute, massue, 4 dés, balafrée", "fr")
    assert isinstance(thug.record, Character)
    assert (thug.record.notes, thug.record.skills[0].value) == ("massue, balafrée", 4)


def test_every_word_at_hand_for_the_line_is_understood() -> None:
    assert SYSTEM.quick_people is not None
    assert SYSTEM.quick_ideas is not None
    for lang in ("fr", "en"):
        words = SYSTEM.quick_ideas(lang)
        assert len(set(words)) == len(words) > 4
        for word in words:
            (somebody,) = SYSTEM.quick_people(word, lang)
            assert isinstance(somebody.record, Character)
            assert somebody.record.skills[0].field != SkillField.OTHER, "they are somebody, not anybody"


# What the document does not say


def test_where_the_document_is_silent_a_rule_says_that_the_reading_is_ours() -> None:
    told = {rule.id: f"{rule.text['fr']} {rule.text['en']}" for rule in SYSTEM.book.rules.values()}
    assert [name for name, text in told.items() if "par défaut" in text or "default" in text] in ([], ["D10-027"])
    assert sum("notre lecture" in text for text in told.values()) >= 8


# The complex action


@pytest.mark.rules("D10-019", "D10-020")
def test_a_complex_action_goes_on_with_the_same_attribute_and_skill_and_is_given_up_at_once() -> None:
    hotseat = table(3, 9, 9, 3, 9, 9)
    number = hotseat.start("bob", "start-complex-action", {"initiator": ["sacha"]},
                           {"sacha": {**SHOT, "label": "Forcer le sas"}})
    hotseat.fill("ana", number, {"difficulty": 4})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    state = hotseat.encounters[1].state
    assert (state.label, state.used, state.gains) == ("Forcer le sas", Used("dexterity", "Tir"), (1,))
    number = hotseat.start("bob", "continue-complex-action", {"initiator": ["sacha"]}, encounter=1)
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    assert (hotseat.encounters[1].state.stock, hotseat.encounters[1].state.gains) == (2, (1, 1))
    number = hotseat.start("bob", "abandon", {"initiator": ["sacha"]}, encounter=1)
    hotseat.accept("ana", number)
    assert hotseat.encounters[1].state.over
    assert hotseat.records["sacha"].record.complex_action is None


@pytest.mark.rules("D10-019")
def test_an_action_begun_before_attribute_and_skill_were_kept_asks_for_them() -> None:
    old = ComplexAction("Forcer le sas", 4, 1, 1, "initiator")
    with pytest.raises(MissingField):
        play(context("continue-complex-action", person(complex_action=old), state=old))
    ran = play(context("continue-complex-action", person(complex_action=old), SHOT, state=old), 3, 9, 9)
    assert ran.plays["turn"].result.stock == 2


@pytest.mark.rules("D10-019")
def test_the_chance_to_be_done_by_each_turn_is_exact() -> None:
    state = ComplexAction("Forcer le sas", 4, 3, 1, "initiator", used=Used("5", "1"))
    ctx = context("continue-complex-action", person(complex_action=state), state=state)
    assert ctx.move.forecast is not None
    ahead = ctx.move.forecast(ctx)
    # One die under 5: a 10 may take a kept success back, a 1 is done like any other success.
    assert [line.values["whole"] for line in ahead.lines[:2]] == [50, 70]
    assert SYSTEM.encounters["complex-action"].tracks[0].value == "stock"


@pytest.mark.rules("D10-019")
def test_a_board_tells_the_next_turns_of_an_action_as_far_as_whoever_looks_may_know() -> None:
    hotseat = table(3, 9, 9)
    number = hotseat.start("bob", "start-complex-action", {"initiator": ["sacha"]},
                           {"sacha": {**SHOT, "label": "Forcer le sas"}})
    hotseat.fill("ana", number, {"difficulty": 4})
    hotseat.throw("bob", number)
    hotseat.accept("ana", number)
    told = {seat: Sight(hotseat.state, SYSTEM, seat).ahead(1) for seat in SEATS}
    for ahead in told.values():
        assert ahead is not None
        assert [line.values["turn"] for line in ahead.lines] == [2, 3, 4]
        by_turn = [int(str(line.values["whole"])) for line in ahead.lines]
        assert by_turn == sorted(by_turn)
    hidden = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(()))
    hidden.add("guard", person(name="Garde"), audience=GM_ONLY)
    stands(hidden, "complex-action", ComplexAction("Forcer le sas", 4, 1, 1, "guard", used=Used("dexterity", "Tir")))
    assert Sight(hidden.state, SYSTEM, "ana").ahead(1) is not None
    assert all(Sight(hidden.state, SYSTEM, seat).ahead(1) is None for seat in ("bob", "cleo", "sam"))


@pytest.mark.rules("D10-019", "D10-021")
@pytest.mark.parametrize(("faces", "key", "success"), [
    ((3, 9, 9), "told_turn", None), ((9, 9, 9), "told_turn_still", False), ((10, 9, 9), "told_turn_back", False),
    ((3, 3, 3), "told_turn_done", True),
])
def test_a_turn_is_told_by_where_it_leads_and_one_that_goes_on_is_no_failure(
    faces: tuple[int, ...], key: str, success: bool | None
) -> None:
    state = ComplexAction("Forcer le sas", 5, 2, 1, "initiator", used=Used("5", "Tir"))
    ran = play(context("continue-complex-action", person(complex_action=state), state=state), *faces)
    assert f"outcomes.{key}" in [line.key for line in ran.tellings]
    (step,) = SYSTEM.move("continue-complex-action").resolves
    assert step.success is not None
    assert step.success(ran.plays["turn"].result) is success


@pytest.mark.option("complex_scale", "stock")
@pytest.mark.option("complex_scale", "last_turn")
@pytest.mark.rules("D10-022")
def test_the_scale_of_a_complex_action_is_read_on_the_whole_or_on_the_last_turn_and_said() -> None:
    state = ComplexAction("Forcer le sas", 5, 4, 1, "initiator", used=Used("5", "Tir"))
    for option, level in (("stock", 3), ("last_turn", 1)):
        ran = play(context("continue-complex-action", person(complex_action=state), state=state, complex_scale=option),
                   3, 9, 9)
        assert (ran.plays["turn"].result.done, ran.plays["turn"].result.level) == (True, level)
        assert f"outcomes.told_scale_{option}" in [line.key for line in ran.tellings]


def test_a_complex_action_is_offered_to_whoever_pursues_it_alone() -> None:
    state = ComplexAction("Forcer le sas", 5, 4, 1, "initiator")
    pursue, begin = SYSTEM.move("continue-complex-action"), SYSTEM.move("start-complex-action")
    busy = person(complex_action=state)
    assert pursue.can_come(context(pursue.id, busy, state=state))
    assert not pursue.can_come(context(pursue.id, person(), state=state))
    assert not begin.can_come(context(begin.id, busy))
    assert begin.can_come(context(begin.id, person()))


# The body


@pytest.mark.rules("D10-033", "D10-046")
def test_a_wound_is_touched_on_the_victim_s_body_and_told_with_their_name() -> None:
    hotseat = table(sacha=person(luck=3))
    number = hotseat.start("ana", "inflict-wound", {"victim": ["sacha"]}, {"gm": {"part": "left_arm", "levels": 2}})
    hotseat.fill("bob", number, {"avoid": 1})  # luck in the same breath: nothing else is asked
    assert SYSTEM.move("inflict-wound").field("part").shape == Figure("victim")
    changes = hotseat.moves[number].changes
    assert {change.path: change.weighs for change in changes} == {
        "luck_used": "certain", "wounds": "grave", "wound_day": "bookkeeping"}


@pytest.mark.rules("D10-033")
def test_luck_against_a_wound_is_asked_whatever_is_left_of_it_but_not_where_it_can_do_nothing() -> None:
    def awaited(**fields: Any) -> list[str]:
        hotseat = table(sacha=person(**fields))
        hotseat.start("ana", "inflict-wound", {"victim": ["sacha"]}, {"gm": {"part": "left_arm", "levels": 1}})
        return list(move_seen(hotseat, "cleo").get("waits_for", ()))

    unsaid = SYSTEM.move("inflict-wound").field("avoid", "victim")
    assert not unsaid.applies(context("inflict-wound", person(luck=3), role="victim"))  # where it hits is not said yet
    assert awaited(luck=3) == awaited(luck=3, luck_used=3) == ["bob"]
    assert awaited(luck=0) == awaited(luck=3, wounds={"left_arm": 3}) != ["bob"]


@pytest.mark.rules("D10-065", "D10-066", "D10-069")
def test_healing_is_offered_from_the_next_day_on_and_while_the_day_allows_it() -> None:
    heal = SYSTEM.move("heal")
    hurt = person(wounds=HURT, wound_day={"left_arm": 1})
    assert not heal.can_come(context("heal", person(), day=2))
    assert not heal.can_come(context("heal", hurt, day=1))
    assert heal.can_come(context("heal", hurt, day=2))
    assert heal.makes_sense(context("heal", hurt, day=2))
    assert not heal.can_come(context("heal", replace(hurt, energy=0), day=2))
    assert not heal.can_come(context("heal", replace(hurt, healing_spent_today=2, healing_day=2), day=2))
    paid = context("heal", replace(hurt, healing_spent_today=1, healing_day=2), {"part": "left_arm"}, day=2)
    assert play(paid).plays["heal"].result.healing_spent_today == 2  # a day of rest: no other allows it


@pytest.mark.rules("D10-039", "D10-044", "D10-049")
def test_what_ails_somebody_is_told_at_a_glance_in_words() -> None:
    kind, lang = SYSTEM.kind("character"), "fr"
    drawer = SheetDrawer(SYSTEM, Teller(lang, SYSTEM), rulings(), {})

    def glance(**fields: Any) -> tuple[list[str], str]:
        sheet = person(**fields)
        derived = kind.derived(sheet, rulings())
        gauges = {gauge.path: gauge for gauge in drawer.gauges(kind, to_plain(sheet), derived)}
        return [state.words for state in drawer.states(kind, to_plain(sheet), derived)], gauges["energy"].stretch

    assert glance() == ([], "normal")
    assert glance(wounds=HURT, energy=6) == (["bras gauche : sérieuse"], "défaillant")
    assert glance(wounds={"head": 2}, unconscious=True, energy=24) == (
        ["Mourant", "Inconscient", "tête : mortelle"], "en forme")
    assert glance(wounds={"torso": 3, "left_arm": 3}, energy=12) == (
        ["Mourant", "torse : mortelle", "bras gauche : hors d'usage"], "fatigué")
    energy = next(gauge for gauge in drawer.gauges(kind, to_plain(person(energy=8)), {}) if gauge.path == "energy")
    assert [(part.full, part.size) for part in energy.stretches] == [(6, 6), (2, 6), (0, 6), (0, 6)]


@pytest.mark.rules("D10-043", "D10-046", "D10-065")
def test_a_body_is_touched_to_wound_it_to_replace_what_is_lost_and_by_its_owner_to_heal() -> None:
    kind = SYSTEM.kind("character")
    hurt = person(wounds={"left_arm": 3, "torso": 1}, wound_day={"torso": 1})

    def touched(gm: bool, day: int) -> dict[str, tuple[str, str]]:
        drawer = SheetDrawer(SYSTEM, Teller("fr", SYSTEM), rulings(), {}, day, gm)
        blocks = drawer.blocks(kind, to_plain(hurt), {}, hurt)
        body = [part for block in blocks for line in block.lines for part in line.body]
        return {part.id: (part.starts.move, part.starts.role) for part in body if part.starts is not None}

    assert touched(gm=True, day=1)["left_arm"] == ("replace-a-limb", "character")
    assert {move for part, move in touched(gm=True, day=2).items() if part != "left_arm"} == {
        ("inflict-wound", "victim")}
    assert touched(gm=False, day=1) == {}
    assert touched(gm=False, day=2) == {"torso": ("heal", "")}


# Energy and days


@pytest.mark.rules("D10-055", "D10-056")
@pytest.mark.parametrize(("move", "form", "energy"), [
    ("eat", {"meal": "full_meal"}, 17), ("sleep", {"hours": 8}, 19), ("sleep", {"blocks": [5, 3]}, 18),
])
def test_meals_and_sleep_are_over_as_soon_as_they_are_said(move: str, form: dict[str, Any], energy: int) -> None:
    hotseat = table()
    number = hotseat.start("bob", move, {"initiator": ["sacha"]})
    assert move_seen(hotseat, "sam")["waits_for"] == ["bob"]
    hotseat.fill("bob", number, form)
    hotseat.accept("ana", number)
    assert hotseat.records["sacha"].record.energy == energy


def test_nobody_dead_eats_and_nobody_unconscious_acts() -> None:
    dead, asleep = person(dead=True), person(unconscious=True)
    assert not SYSTEM.move("eat").can_come(context("eat", dead))
    assert not SYSTEM.move("throw").can_come(context("throw", asleep))
    assert SYSTEM.move("wake-up-or-die").makes_sense(context("wake-up-or-die", asleep, role="character"))
    fates = SYSTEM.move("wake-up-or-die").field("fate")
    assert field_facts(fates, context("wake-up-or-die", person(), role="character")).options == ["die"]


@pytest.mark.rules("D10-034")
def test_luck_is_given_back_only_where_some_was_spent() -> None:
    refund = SYSTEM.move("refund-luck")
    assert not refund.can_come(context("refund-luck", person(luck=3), role="character"))
    assert refund.can_come(context("refund-luck", person(luck=3, luck_used=1), role="character"))


# Creation


@pytest.mark.rules("D10-027")
def test_an_empty_nameless_sheet_is_not_in_order_and_says_where_to_mend_it() -> None:
    found = {fault.key: fault.at for fault in check(Character(), rulings())}
    assert found == {"no_name": "name", "no_skills": "skills"}
    hotseat = table()
    number = hotseat.start("bob", "create-character", {"initiator": ["bob"]})
    with pytest.raises(Unnamed):
        hotseat.fill("bob", number, {"sheet": {"skills": []}})


@pytest.mark.rules("D10-036")
def test_what_the_game_master_must_allow_is_allowed_by_accepting_the_sheet_and_by_nothing_else() -> None:
    high = {"name": "Noor", "skills": [{"field": "actions", "name": "Tir", "value": 6}]}
    for skill, leave in ((high, True), ({**high, "skills": []}, None)):
        hotseat = table()
        number = hotseat.start("bob", "create-character", {"initiator": ["bob"]}, {"bob": {"sheet": skill}})
        op = hotseat.moves[number]
        assert not waited_for(op.context(SYSTEM))
        hotseat.answer("ana", number, "agree")
        assert hotseat.moves[number].context(SYSTEM).one("gm").filled.get("override") is leave
        hotseat.accept("ana", number)
        assert "Noor" in hotseat.records


@pytest.mark.rules("D10-027", "D10-037")
def test_points_and_ideas_are_at_hand_while_a_sheet_is_written() -> None:
    assert points_left(person(), rulings()) == ()
    spent = {left.id: (left.left, left.of) for left in points_left(person(), rulings(creation_budget="standard"))}
    assert spent == {"attributes": (5, 30), "skills": (20, 25)}
    for lang in ("fr", "en"):
        assert len(set(ideas(lang))) == len(ideas(lang)) > 20
    kind = SYSTEM.kind("character")
    assert {"wounds", "luck_used", "energy", "complex_action"} <= kind.in_play
    assert "skills.name" in kind.suggests
