"""What is hidden stays hidden: each move with a secret, read by game master, owner, another player and spectator."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from paravent.dice.play import ScriptedFaces
from paravent.game import GM_ONLY
from paravent.game.errors import NotNow, NotYours, UnknownName
from paravent.game.telling import Teller
from paravent.systems.solaires import SYSTEM
from paravent.systems.solaires.actions.difficulty_steps import rated
from paravent.systems.solaires.facts import Tag
from paravent.systems.solaires.people.character import Character, Element, Figure, Item
from paravent.table.hotseat import Hotseat
from seats import NOT_THEIRS, hidden_from, move_seen, page, told

from .crew import ASKED, evening

SEATS = {"maud": "gm", "ana": "player", "bob": "player", "eve": "spectator"}
PLAYERS = ("ana", "bob", "eve")
SECRET = "la passerelle cède"


def table(*faces: int, **options: str) -> Hotseat:
    """Ana plays Nadir, Bob plays Bosco; the guard is the game master's, and nobody knows of him."""
    hotseat = Hotseat(SYSTEM, SEATS, {"edition": "v5", **ASKED, **options}, ScriptedFaces(faces))
    nadir = Character(
        name="Nadir", concept="Grimpeuse", careers=(Element("Grimpeuse", 3),), points=4, max_points=4,
        traits=(Element("Curieuse", 2),), states=(Element("Blessée", 2),),
        equipment=(Item("Implant psi", 3, Tag.PSI),), psi_power_set="information",
    )
    bosco = Character(name="Bosco", concept="Soutier", equipment=(Item("Harnais", 2),), points=2)
    hotseat.add("nadir", nadir, owner="ana")
    hotseat.add("bosco", bosco, owner="bob")
    hotseat.add("guard", Figure("Garde", elements=(Element("Vigile", 2),)), kind="npc", audience=GM_ONLY)
    return hotseat


def same_for_all(views: Callable[[Any], list[Any]], *secrets: Any) -> None:
    """Whatever the secret is, those who may not know it receive exactly the same."""
    seen = [views(secret) for secret in secrets]
    assert seen[0]
    assert all(view == seen[0] for view in seen)


# An action: scales, secret side effects, notes


def announced(hotseat: Hotseat, secret: dict[str, str] | None = None, scales: tuple[int, int] = (-4, 2)) -> int:
    """Ana announces; Maud sets -2 in two parts nobody else sees, and prepares one open and one secret effect."""
    move = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "atteindre le sas"}})
    hotseat.fill("maud", move, {
        "on_success": "le tir est annulé", "on_failure": "la navette part", "gm_notes": "le sas est piégé",
        "intrinsic": scales[0], "scenario_interest": scales[1], "effects": {"3": "+du temps gagné"},
        "secret_effects": {"2": SECRET} if secret is None else secret,
    })
    return move


def ready(hotseat: Hotseat, secret: dict[str, str] | None = None, scales: tuple[int, int] = (-4, 2)) -> int:
    """… Ana takes one element of hers and one that Bob lends: 3 + 2 - 2 = 3. Everybody agrees."""
    move = announced(hotseat, secret, scales)
    hotseat.join("ana", move, "helper", "bosco")
    hotseat.fill("ana", move, {"element": "Grimpeuse", "typical": True})
    hotseat.fill("bob", move, {"lent": "Harnais"})
    hotseat.answer("maud", move, "agree")
    return move


@pytest.mark.rules("SOL-022")
def test_the_sum_of_the_scales_is_told_and_their_split_is_not() -> None:
    hotseat = table()
    announced(hotseat)
    for seat in SEATS:
        assert ("outcomes.told_difficulty", {"total": "insane"}) in told(hotseat, seat)
    assert move_seen(hotseat, "maud")["fields"]["gm"]["intrinsic"] == -4
    hidden_from(hotseat, PLAYERS, "intrinsic", "scenario_interest", "told_scales", "piégé")


@pytest.mark.rules("SOL-020", "SOL-022")
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_sum_of_both_scales_has_words_of_its_own(lang: str) -> None:
    said = {Teller(lang, SYSTEM).value(rated(total)) for total in range(-8, 9)}
    assert len(said) == 17
    assert all(words[0].isalpha() and words.endswith(")") and "_" not in words for words in said)


@pytest.mark.rules("SOL-022")
def test_the_game_master_may_show_how_the_difficulty_came_about() -> None:
    hotseat = table()
    move = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "atteindre le sas"}})
    hotseat.fill("maud", move, {"reveal_scales": True, "intrinsic": "absurd", "scenario_interest": 2})
    for seat in SEATS:
        shown = {"intrinsic": "absurd", "interest": "success_interesting"}
        assert ("outcomes.told_scales", shown) in told(hotseat, seat)


@pytest.mark.rules("SOL-022")
def test_nothing_depends_on_how_the_same_difficulty_was_reached() -> None:
    def views(scales: tuple[int, int]) -> list[Any]:
        hotseat = table(1, 2, 6)
        move = ready(hotseat, {}, scales)
        seen: list[Any] = [repr(hotseat.odds(seat, move)) for seat in PLAYERS]
        hotseat.throw("ana", move)
        return seen + [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, (-4, 2), (2, -4), (-1, -1))


@pytest.mark.rules("SOL-052")
def test_odds_are_those_of_the_target_and_say_nothing_of_the_secret() -> None:
    hotseat = table()
    move = ready(hotseat)
    for seat in PLAYERS:
        weighed = hotseat.odds(seat, move)
        assert weighed is not None
        assert SECRET not in repr(weighed)
        for chances in weighed.values():
            assert chances.chance(lambda result: result.success) == Fraction(1, 2)
    assert SECRET in page(hotseat, "maud")


@pytest.mark.rules("SOL-052")
@pytest.mark.parametrize("word", ["reveal", "keep_secret"])
def test_a_secret_effect_that_happens_is_the_game_master_s_to_reveal_or_to_keep(word: str) -> None:
    hotseat = table(3, 6, 2)
    move = ready(hotseat)
    assert SECRET in page(hotseat, "maud")
    hidden_from(hotseat, PLAYERS, SECRET)
    hotseat.throw("ana", move)
    hidden_from(hotseat, PLAYERS, SECRET)
    hotseat.answer("ana", move, "stop")
    hidden_from(hotseat, PLAYERS, SECRET, "reveal-effect")
    asked = max(hotseat.moves)
    assert hotseat.moves[asked].move.id == "reveal-effect"
    assert hotseat.waits_for(asked) == {"maud"}
    hotseat.fill("maud", asked, {"told_now": word})
    for seat in PLAYERS:
        known = ("outcomes.told_effect_negative", {"text": SECRET}) in told(hotseat, seat)
        assert known == (word == "reveal")
    if word != "reveal":
        hidden_from(hotseat, PLAYERS, SECRET, "reveal-effect")


@pytest.mark.rules("SOL-052")
def test_nobody_can_tell_that_a_secret_effect_happened() -> None:
    def views(secret: dict[str, str]) -> list[Any]:
        hotseat = table(3, 6, 2, aftermath="needed")
        move = ready(hotseat, secret)
        hotseat.throw("ana", move)
        hotseat.answer("ana", move, "stop")
        return [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, {}, {"2": SECRET}, {"2": f"+ {SECRET}", "3": SECRET})


@pytest.mark.rules("SOL-052")
def test_a_secret_effect_that_does_not_happen_is_never_known() -> None:
    hotseat = table(3, 6, 6)
    move = ready(hotseat)
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "stop")
    hotseat.fill("maud", move, {"description": "Nadir glisse."})
    hotseat.accept("maud", move)
    hidden_from(hotseat, PLAYERS, SECRET)


@pytest.mark.rules("SOL-052", "SOL-117")
def test_nothing_a_player_sees_depends_on_effects_that_do_not_happen() -> None:
    """Not the odds, not the offers to throw again, not what is told."""
    def views(secret: dict[str, str]) -> list[Any]:
        hotseat = table(3, 6, 6, 5)
        move = ready(hotseat, secret)
        seen: list[Any] = [repr(hotseat.odds(seat, move)) for seat in PLAYERS]
        hotseat.throw("ana", move)
        seen += [page(hotseat, seat) for seat in PLAYERS]
        hotseat.answer("ana", move, {"dice": [2]})
        hotseat.answer("maud", move, False)
        hotseat.answer("bob", move, False)
        seen += [page(hotseat, seat) for seat in PLAYERS]
        hotseat.answer("ana", move, "stop")
        hotseat.fill("maud", move, {"description": "Nadir glisse."})
        hotseat.accept("maud", move)
        return seen + [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, {}, {"2": SECRET}, {"0": "elle tombe", "3": "+la porte s'ouvre"})


@pytest.mark.rules("SOL-014", "SOL-025")
def test_a_verdict_is_told_to_all_and_leaves_no_secret_behind() -> None:
    hotseat = table()
    move = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {"goal": "respirer"}})
    hotseat.fill("maud", move, {"verdict": "trivial", "gm_notes": "le sas est piégé"})
    for seat in SEATS:
        assert "outcomes.told_trivial" in [key for key, _ in told(hotseat, seat)]
    hidden_from(hotseat, PLAYERS, "piégé")


# Lending


@pytest.mark.rules("SOL-034", "SOL-070")
def test_nothing_is_lent_without_the_lender_s_word() -> None:
    hotseat = table()
    move = announced(hotseat)
    hotseat.join("ana", move, "helper", "bosco")
    hotseat.fill("ana", move, {"element": "Grimpeuse", "typical": True})
    with pytest.raises(NotYours):
        hotseat.fill("ana", move, {"lent": "Harnais"}, "bosco")
    hotseat.fill("bob", move, {"lent": "Harnais"})
    hotseat.fill("bob", move, {"lent": "none"})
    assert "Harnais" not in json.dumps(move_seen(hotseat, "maud")["fields"], ensure_ascii=False)


@pytest.mark.rules("SOL-037")
def test_elements_are_the_game_master_s_to_accept_and_again_when_they_change() -> None:
    hotseat = table(1, 1, 1)
    move = announced(hotseat, {})
    hotseat.fill("ana", move, {"element": "Grimpeuse"})
    with pytest.raises(NotNow):
        hotseat.throw("ana", move)
    hotseat.answer("maud", move, "agree")
    hotseat.fill("ana", move, {"element": "Curieuse"})
    with pytest.raises(NotNow):
        hotseat.throw("ana", move)
    hotseat.answer("maud", move, "agree")
    hotseat.throw("ana", move)
    assert hotseat.moves[move].results == {} or move_seen(hotseat, "eve")["throws"]


@pytest.mark.rules("SOL-032", "SOL-037")
@pytest.mark.parametrize("anew", [{"attitude": "amplified"}, {"handicap": ["Blessée"]}, {"element": "Grimpeuse"}])
def test_elements_accepted_stay_so_whatever_else_the_player_says_before_the_dice(anew: dict[str, Any]) -> None:
    hotseat = table(1, 1, 1, edition="v4", v4_declared_states="true")
    move = hotseat.start("ana", "action", {"initiator": ["nadir"]}, {"nadir": {
        "goal": "atteindre le sas", "element": "Grimpeuse", "second": "Curieuse"}})
    hotseat.fill("maud", move, {"intrinsic": "insane"})
    hotseat.answer("maud", move, "agree")
    hotseat.fill("ana", move, anew)
    assert hotseat.waits_for(move) == {"ana"}
    hotseat.throw("ana", move)


# Points and vetoes


@pytest.mark.rules("SOL-113", "SOL-117")
def test_a_veto_names_nobody_and_costs_nothing() -> None:
    hotseat = table(2, 6, 5)
    move = ready(hotseat, {})
    hotseat.throw("ana", move)
    assert "choice" not in move_seen(hotseat, "bob")
    hotseat.answer("ana", move, {"dice": [2]})
    assert hotseat.waits_for(move) == {"maud", "bob"}
    for outsider in ("ana", "eve"):
        with pytest.raises(NOT_THEIRS[SEATS[outsider]]):
            hotseat.answer(outsider, move, True)
    hotseat.answer("bob", move, True)
    for seat in SEATS:
        assert "bob" not in json.dumps(move_seen(hotseat, seat).get("throws"), ensure_ascii=False)
    assert [str(option) for option in move_seen(hotseat, "ana")["choice"]["options"]] == ["stop", "describe"]
    hotseat.answer("ana", move, "stop")
    result = hotseat.moves[move].results["roll"]
    assert (result.kept, sum(result.spent)) == (1, 0)
    hotseat.fill("maud", move, {"description": "Nadir glisse."})
    hotseat.accept("maud", move)
    assert hotseat.records["nadir"].record.points == 4


@pytest.mark.rules("SOL-113", "SOL-115", "SOL-117")
def test_who_was_refused_a_die_may_still_tell_the_end() -> None:
    hotseat = table(2, 6, 5)
    move = ready(hotseat, {})
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, {"dice": [2]})
    hotseat.answer("bob", move, True)
    hotseat.answer("ana", move, "describe")
    hotseat.fill("ana", move, {"own_description": "Je glisse, mais avec grâce."})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.accept("maud", move)
    assert hotseat.records["nadir"].record.points == 3
    for seat in SEATS:
        assert "avec grâce" in page(hotseat, seat)


@pytest.mark.rules("SOL-113", "SOL-115")
def test_the_veto_is_on_the_words_themselves_and_a_vetoed_end_is_written_again_or_left_to_the_game_master() -> None:
    hotseat = table(2, 6, 5)
    move = ready(hotseat, {})
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "describe")
    assert hotseat.waits_for(move) == {"ana"}  # nobody votes on what is not written
    hotseat.fill("ana", move, {"own_description": "Le mur s'écroule, et je passe."})
    assert hotseat.waits_for(move) == {"maud", "bob"}
    assert "s'écroule" in str(move_seen(hotseat, "bob")["choice"]["values"])
    hotseat.answer("bob", move, True, "ce n'est plus un échec")
    assert hotseat.waits_for(move) == {"maud"}  # who tells in her stead, while she may still write it otherwise
    hotseat.fill("ana", move, {"own_description": "Le mur tient, et je glisse."})
    assert hotseat.waits_for(move) == {"maud", "bob"}
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, True)
    hotseat.fill("maud", move, {"description": "Nadir reste en bas."})
    hotseat.accept("maud", move)
    assert hotseat.records["nadir"].record.points == 4
    heard = str(hotseat.told("eve"))
    assert "reste en bas" in heard
    assert "je glisse" not in heard


@pytest.mark.rules("SOL-113")
def test_whoever_let_some_words_pass_is_asked_again_about_others() -> None:
    hotseat = table()
    told = {"use": "flashback", "text": "hier"}
    move = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": told})
    hotseat.fill("maud", move, {"cost": 2})
    hotseat.answer("bob", move, False)
    assert hotseat.waits_for(move) == {"maud"}
    hotseat.fill("ana", move, {"text": "hier, et toute la caisse avec"})
    assert hotseat.waits_for(move) == {"maud", "bob"}


@pytest.mark.rules("SOL-113")
def test_who_vetoes_makes_no_difference_to_what_anybody_sees() -> None:
    def views(vetoer: str) -> list[Any]:
        hotseat = table(2, 6, 5)
        move = ready(hotseat, {})
        hotseat.throw("ana", move)
        hotseat.answer("ana", move, {"dice": [2]})
        hotseat.answer("bob" if vetoer == "maud" else "maud", move, False)
        hotseat.answer(vetoer, move, True)
        return [page(hotseat, seat) for seat in ("ana", "eve")]

    same_for_all(views, "bob", "maud")


@pytest.mark.rules("SOL-112", "SOL-113", "SOL-118")
def test_a_use_of_points_waits_for_its_price_then_for_vetoes() -> None:
    hotseat = table()
    move = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]},
                         {"nadir": {"use": "link_story_element", "text": "le videur est un ancien voisin"}})
    assert hotseat.waits_for(move) == {"maud"}
    hotseat.fill("maud", move, {"cost": 3})
    assert hotseat.waits_for(move) == {"ana"}  # dearer than printed: does she still want it?
    hotseat.answer("ana", move, True)
    assert hotseat.waits_for(move) == {"maud", "bob"}
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.accept("maud", move)
    for seat in SEATS:
        assert hotseat.seen(seat)["records"]["nadir"]["sheet"]["points"] == 1


@pytest.mark.rules("SOL-113")
def test_vetoed_words_come_back_to_whoever_wrote_them() -> None:
    hotseat = evening(points=4)
    told = {"use": "flashback", "text": "hier, sur le quai"}
    first = hotseat.start("ana", "spend-points", {"initiator": ["nadir"]}, {"nadir": told})
    hotseat.fill("maud", first, {"cost": 2})
    hotseat.answer("bob", first, True)
    assert hotseat.records["nadir"].record.points == 4
    again = max(hotseat.moves)
    assert hotseat.waits_for(again) == {"ana"}
    assert hotseat.moves[again].cast[0].filled == {"text": "hier, sur le quai"}
    hotseat.withdraw("ana", again)
    assert not any(move.phase == "open" for move in hotseat.moves.values())


# A question to the game master


@pytest.mark.rules("SOL-122")
@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize(("way", "asked"), [
    ("ask-the-gm", {"question": "Qui a menti ?"}), ("spend-points", {"use": "question_gm", "text": "Qui a menti ?"})])
def test_an_answer_is_for_the_asker_alone_or_for_all(way: str, asked: dict[str, str], private: bool) -> None:
    hotseat = table()
    move = hotseat.start("ana", way, {"initiator": ["nadir"]}, {"nadir": asked})
    hotseat.fill("maud", move, {"cost": 2})
    hotseat.answer("maud", move, False)
    hotseat.answer("bob", move, False)
    hotseat.fill("maud", move, {"private": private, "answer": "le capitaine"})
    hotseat.accept("maud", move)
    hears = {seat for seat in SEATS if "le capitaine" in page(hotseat, seat)}
    assert hears == ({"maud", "ana"} if private else set(SEATS))
    assert hotseat.records["nadir"].record.points == 2


@pytest.mark.rules("SOL-122", "SOL-113")
def test_a_question_vetoed_is_neither_paid_nor_answered() -> None:
    hotseat = table()
    move = hotseat.start("ana", "ask-the-gm", {"initiator": ["nadir"]}, {"nadir": {"question": "Qui a menti ?"}})
    hotseat.fill("maud", move, {"cost": 2})
    hotseat.answer("bob", move, True)
    hotseat.accept("maud", move)
    assert hotseat.records["nadir"].record.points == 4
    for seat in SEATS:
        assert "outcomes.told_vetoed" in [key for key, _ in told(hotseat, seat)]


# The world


@pytest.mark.rules("SOL-081")
def test_a_hidden_roll_of_the_world_does_not_exist_for_anybody_else() -> None:
    hotseat = table(4, 3, 6)
    before = {seat: page(hotseat, seat) for seat in PLAYERS}
    move = hotseat.start("maud", "environment-roll", form={
        "gm": {"preference": "against_pcs", "hidden": True, "question": "le tireur touche-t-il ?"}})
    hotseat.throw("maud", move)
    assert {seat: page(hotseat, seat) for seat in PLAYERS} == before
    assert move_seen(hotseat, "maud")["phase"] == "closed"
    assert move_seen(hotseat, "maud")["throws"][0]["outcome"] == "unfavourable"
    for seat in PLAYERS:
        with pytest.raises(UnknownName):
            hotseat.odds(seat, move)


@pytest.mark.rules("SOL-081")
def test_an_open_roll_of_the_world_shows_its_outcome_and_not_the_preference() -> None:
    hotseat = table(1, 2, 6)
    form = {"gm": {"preference": "against_pcs", "question": "pleut-il ?"}}
    move = hotseat.start("maud", "environment-roll", form=form)
    for seat in PLAYERS:
        assert hotseat.odds(seat, move) is None
    hotseat.throw("maud", move)
    for seat in SEATS:
        assert move_seen(hotseat, seat)["throws"][0]["outcome"] == "favourable"
    hidden_from(hotseat, PLAYERS, "against_pcs", "preference")
    with pytest.raises(NotYours):
        hotseat.start("ana", "environment-roll")


@pytest.mark.rules("SOL-081", "SOL-082")
@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_an_open_roll_tells_no_more_than_its_outcome(edition: str) -> None:
    """3, 5, 6 is unfavourable whatever was preferred; only in v4 may the game master add something to one of them."""
    def views(preference: str) -> list[Any]:
        hotseat = table(3, 5, 6, edition=edition)
        move = hotseat.start("maud", "environment-roll", form={"gm": {"preference": preference}})
        hotseat.throw("maud", move)
        return [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, "neutral", "for_pcs")


# Action scenes


def scene(hotseat: Hotseat) -> int:
    move = hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco", "guard"]},
                         {"gm": {"first": "nadir"}})
    hotseat.throw("maud", move)
    assert hotseat.moves[move].phase == "closed", "there is nothing to apply"
    return next(iter(hotseat.encounters))


@pytest.mark.rules("SOL-090")
def test_nobody_reads_who_begins_before_it_is_said() -> None:
    def views(first: str) -> list[str]:
        hotseat = table()
        hotseat.start("maud", "start-action-scene", {"participant": ["nadir", "bosco"]}, {"gm": {"first": first}})
        return [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, "nadir", "bosco")


@pytest.mark.rules("SOL-090", "SOL-091")
def test_what_the_game_master_s_people_intend_stays_with_the_game_master() -> None:
    hotseat = table()
    running = scene(hotseat)
    move = hotseat.start("maud", "next-to-act", encounter=running,
                         form={"gm": {"next": "guard", "intention": "il vise la cuve"}})
    hotseat.throw("maud", move)
    hotseat.accept("maud", move)
    assert "il vise la cuve" in page(hotseat, "maud")
    hidden_from(hotseat, PLAYERS, "il vise la cuve")


@pytest.mark.rules("SOL-091", "SOL-083")
@pytest.mark.option("npc_action", "environment")
def test_in_v4_the_world_may_settle_what_somebody_does_without_telling_the_intention() -> None:
    hotseat = table(4, 3, 6, edition="v4", npc_action="environment")
    running = scene(hotseat)
    move = hotseat.start("maud", "next-to-act", encounter=running, form={
        "gm": {"next": "guard", "intention": "il vise la cuve", "announced": "un coup part"}})
    hotseat.throw("maud", move)
    hotseat.accept("maud", move)
    opened = max(hotseat.moves)
    assert hotseat.moves[opened].move.id == "environment-roll"
    hidden_from(hotseat, PLAYERS, "il vise la cuve")


@pytest.mark.rules("SOL-072", "SOL-073", "SOL-091")
def test_an_attack_opens_a_reaction_of_the_one_aimed_at() -> None:
    hotseat = table(1, 2, 6)
    running = scene(hotseat)
    move = hotseat.start("maud", "next-to-act", encounter=running, form={
        "gm": {"next": "guard", "intention": "il vise la cuve", "reacts": "nadir", "announced": "le garde fait feu"}})
    hotseat.throw("maud", move)
    hotseat.accept("maud", move)
    reaction = max(hotseat.moves)
    assert hotseat.moves[reaction].move.id == "reaction"
    assert "le garde fait feu" in page(hotseat, "ana")
    hidden_from(hotseat, PLAYERS, "il vise la cuve")
    hotseat.fill("ana", reaction, {"goal": "se jeter à l'abri"})
    hotseat.fill("maud", reaction, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", reaction, {"element": "Grimpeuse"})
    hotseat.answer("maud", reaction, "agree")
    hotseat.throw("ana", reaction)
    hotseat.answer("ana", reaction, "stop")
    assert hotseat.moves[reaction].results["roll"].success


# The matrix: the ice is not known until it is met


def run_against(ice: str) -> tuple[Hotseat, int]:
    hotseat = table(1, 1, 1, 6, 6, 6)
    move = hotseat.start("ana", "matrix-run", {"initiator": ["nadir"]}, {"nadir": {"node": "capitainerie"}})
    if not hotseat.encounters:
        hotseat.fill("maud", move, {"ice": ice})
    assert hotseat.moves[move].phase == "closed", "there is nothing to apply"
    return hotseat, next(iter(hotseat.encounters))


@pytest.mark.rules("SOL-133", "SOL-135")
def test_the_ice_of_a_node_stays_with_the_game_master() -> None:
    hotseat, running = run_against("glace noire")
    assert "glace noire" in page(hotseat, "maud")
    hidden_from(hotseat, PLAYERS, "glace noire")
    move = hotseat.start("ana", "run-step", {"initiator": ["nadir"]}, {"nadir": {"goal": "localiser"}}, running)
    hotseat.fill("maud", move, {"intrinsic": 0, "scenario_interest": 0, "secret_effects": {"2": "la glace s'éveille"}})
    hidden_from(hotseat, PLAYERS, "glace noire", "s'éveille")


@pytest.mark.rules("SOL-133", "SOL-135")
def test_nothing_a_player_sees_of_a_run_depends_on_the_ice() -> None:
    def views(ice: str) -> list[Any]:
        hotseat, running = run_against(ice)
        seen: list[Any] = [page(hotseat, seat) for seat in PLAYERS]
        move = hotseat.start("ana", "run-step", {"initiator": ["nadir"]}, {"nadir": {"goal": "localiser"}}, running)
        hotseat.fill("maud", move, {"intrinsic": 0, "scenario_interest": 0})
        hotseat.fill("ana", move, {"element": "Curieuse"})
        hotseat.answer("maud", move, "agree")
        seen += [repr(hotseat.odds(seat, move)) for seat in PLAYERS]
        hotseat.throw("ana", move)
        hotseat.answer("ana", move, "stop")
        hotseat.fill("maud", move, {"description": "."})
        hotseat.accept("maud", move)
        return seen + [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, "", "glace noire", "glace de comptoir")


# Psi: which object was truly touched


def psi(faces: tuple[int, ...], perceived: bool, target: str, use: str = "one_off") -> tuple[Hotseat, list[Any]]:
    """Nadir reaches for the safe; whether she feels the right object is the game master's to know."""
    hotseat = table(*faces)
    move = hotseat.start("ana", "use-psi-power", {"initiator": ["nadir"]},
                         {"nadir": {"goal": "fouiller", "use": use, "object": "le coffre", "effect": "caché"}})
    hotseat.fill("maud", move, {"perceived": perceived, "true_target": target})
    hotseat.fill("maud", move, {"intrinsic": 0, "scenario_interest": 0})
    hotseat.fill("ana", move, {"element": "Implant psi"})
    hotseat.answer("maud", move, "agree")
    seen: list[Any] = [repr(hotseat.odds(seat, move)) for seat in PLAYERS]
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, "stop")
    if not hotseat.moves[move].results["roll"].success:
        hotseat.fill("maud", move, {"failure_cause": "effort_missed"})
    seen += [page(hotseat, seat) for seat in PLAYERS]
    hotseat.fill("maud", move, {"description": "Quelque chose cède."})
    hotseat.accept("maud", move)
    return hotseat, seen + [page(hotseat, seat) for seat in PLAYERS]


@pytest.mark.rules("SOL-144", "SOL-148")
@pytest.mark.parametrize("use", ["one_off", "maintained"])
def test_only_the_game_master_knows_which_object_was_touched(use: str) -> None:
    hotseat, _ = psi((1, 2, 6), False, "la valise", use)
    assert "la valise" in page(hotseat, "maud")
    hidden_from(hotseat, PLAYERS, "la valise", "true_target", "another_object", "perceived")


@pytest.mark.rules("SOL-144", "SOL-148")
@pytest.mark.parametrize("faces", [(1, 2, 6), (6, 6, 6)])
@pytest.mark.parametrize("use", ["one_off", "maintained"])
def test_a_mistaken_perception_changes_nothing_of_what_players_see(faces: tuple[int, ...], use: str) -> None:
    secrets = [(True, ""), (False, "la valise"), (False, "un garde")]
    seen = [psi(faces, perceived, target, use)[1] for perceived, target in secrets]
    assert seen[0] == seen[1] == seen[2]


# People of the game master's


@pytest.mark.rules("SOL-080")
def test_what_the_game_master_s_people_can_do_is_not_read_on_their_sheets() -> None:
    hotseat = table(opposition_vs_npc="true")
    hotseat.add("clerk", Figure("Greffier", elements=(Element("Escrimeur", 3),), notes="traître"), kind="npc")
    assert "Escrimeur" in page(hotseat, "maud")
    hidden_from(hotseat, PLAYERS, "Escrimeur", "traître")


# Sheets


@pytest.mark.rules("SOL-102")
def test_a_description_is_its_owner_s_to_share() -> None:
    hotseat = table()
    filin = Character(name="Filin", concept="Mousse", desc_history="il a fui Mimas", careers=(Element("Mousse", 1),))
    hotseat.add("filin", filin, owner="bob")
    hears = {seat for seat in SEATS if "il a fui Mimas" in page(hotseat, seat)}
    assert hears == {"maud", "bob"}
    for seat in SEATS:
        assert "Mousse" in page(hotseat, seat)


@pytest.mark.rules("SOL-100")
def test_a_sheet_in_the_making_is_between_its_author_and_the_game_master() -> None:
    hotseat = table()
    filin = {"name": "Filin", "concept": "Mousse", "desc_history": "il a fui Mimas"}
    move = hotseat.start("bob", "create-character", form={"bob": {"sheet": filin}})
    hears = {seat for seat in SEATS if "il a fui Mimas" in page(hotseat, seat)}
    assert hears == {"maud", "bob"}
    hotseat.answer("maud", move, "agree")
    hotseat.accept("maud", move)
    assert {seat for seat in SEATS if "il a fui Mimas" in page(hotseat, seat)} <= {"maud", "bob"}


# Options that change who knows


@pytest.mark.rules("SOL-113")
@pytest.mark.option("veto", "gm_only")
def test_where_the_veto_is_the_game_master_s_nobody_else_is_asked() -> None:
    hotseat = table(2, 6, 5, veto="gm_only")
    move = ready(hotseat, {})
    hotseat.throw("ana", move)
    hotseat.answer("ana", move, {"dice": [2]})
    assert hotseat.waits_for(move) == {"maud"}
    with pytest.raises(NotYours):
        hotseat.answer("bob", move, True)


# Every move with something hidden


CASTS: dict[str, dict[str, list[str]]] = {
    "action": {}, "reaction": {}, "group-action": {"member": ["bosco"]}, "opposition": {"opponent": ["bosco"]},
    "run-step": {}, "stay-or-disconnect": {}, "use-psi-power": {},
}


def test_all_moves_with_something_hidden_are_read_from_four_seats() -> None:
    elsewhere = {"environment-roll", "ask-the-gm", "spend-points", "start-action-scene", "next-to-act", "matrix-run"}
    hidden = {move.id for move in SYSTEM.moves.values() if any(field.secrecy == "gm" for field in move.fields)}
    assert hidden == {*CASTS, *elsewhere}


@pytest.mark.rules("SOL-011", "SOL-022", "SOL-052")
@pytest.mark.parametrize(("edition", "name"), [
    (edition, name) for edition in ("v4", "v5") for name in CASTS if (edition, name) != ("v4", "group-action")])
def test_what_the_game_master_writes_for_himself_makes_no_difference_to_anybody(edition: str, name: str) -> None:
    def views(secret: str) -> list[Any]:
        hotseat = table(1, 2, 6, edition=edition)
        running = None
        if SYSTEM.move(name).encounter:
            start = hotseat.start("ana", "matrix-run", {"initiator": ["nadir"]}, {"nadir": {"node": "port"}})
            hotseat.fill("maud", start, {"ice": secret})
            running = next(iter(hotseat.encounters))
        form = {"stays": True} if name == "stay-or-disconnect" else {}
        move = hotseat.start("ana", name, {"initiator": ["nadir"], **CASTS[name]}, {"nadir": form}, running)
        asked = {field.id for field in SYSTEM.move(name).fields}
        told = {"gm_notes": secret, "true_target": secret, "perceived": not secret, "intrinsic": 0}
        hotseat.fill("maud", move, {key: value for key, value in told.items() if key in asked})
        if edition == "v5":
            hotseat.fill("maud", move, {"secret_effects": {"0": secret, "1": secret, "3": secret}})
        if name == "opposition":
            hotseat.fill("bob", move, {"element": "Harnais"})
        hotseat.fill("ana", move, {"element": "Grimpeuse"})
        hotseat.answer("maud", move, "agree")
        seen: list[Any] = [repr(hotseat.odds(seat, move)) for seat in PLAYERS]
        hotseat.throw("ana", move)
        hotseat.answer("ana", move, "stop")
        hotseat.fill("maud", move, {"description": "Voilà."})
        assert not secret or secret in page(hotseat, "maud")
        return seen + [page(hotseat, seat) for seat in PLAYERS]

    same_for_all(views, "", SECRET)
