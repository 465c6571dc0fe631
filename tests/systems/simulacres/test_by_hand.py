"""Cases worked out by hand from the rulebook by somebody who had not written its rules: sums, margins, what is lost.

Arthur is Corps 4, Instincts 5, Cœur 5, Esprit 4; Perception 3, Action 3, Désir 2, Résistance 2; Minéral 0, Végétal,
Animal, Humain, Mécanique 1; Puissance 2, Rapidité 1, Précision 1; a doctor.
"""

import pytest

from paravent.systems.simulacres.checks.check import Check
from paravent.systems.simulacres.checks.duel import Winner


@pytest.fixture
def arthur(sheet):
    return {"initiator": sheet("arthur")}


@pytest.mark.rules("SIM-002", "SIM-003", "SIM-005", "SIM-006")
@pytest.mark.parametrize(("phrase", "gm", "faces", "comes"), [
    # Esprit 4 + Perception 3 + Humain 1 − 1 = 7: a 6 is under it, a 7 is not.
    (("mind", "perception", "human"), {"difficulty": -1}, (2, 4), Check(True, 1)),
    (("mind", "perception", "human"), {"difficulty": -1}, (3, 4), Check(False, 0)),
    # Instincts 5 + Désir 2 + Animal 1, Très difficile and the rain, −4 − 2 = 2: only a miracle; a 9 fails by 7.
    (("instincts", "desire", "animal"), {"difficulty": -4, "more_difficulties": "pluie:-2"}, (4, 5), Check(False, 7)),
    # Cœur 5 + Action 3 + Végétal 1 + 4 = 13: an 11 succeeds by 2.
    (("heart", "action", "vegetal"), {"difficulty": 4}, (5, 6), Check(True, 2)),
])
def test_sums_and_margins(result, arthur, phrase, gm, faces, comes):
    said = dict(zip(("component", "means", "realm"), phrase, strict=True))
    assert result("simple-test", *faces, initiator=said, gm=gm, sheets=arthur) == comes


@pytest.mark.rules("SIM-009", "SIM-010")
@pytest.mark.parametrize(("value", "faces", "success", "margin"), [
    (1, (1, 1), True, 0),  # a double 1 succeeds even where nothing else would, by nothing
    (9, (1, 1), True, 7),
    (10, (6, 6), False, 2),
    (14, (6, 6), False, 0),  # a double 6 fails even where nothing else would
])
def test_doubles_at_both_ends(result, value, faces, success, margin):
    done = result("simple-test", *faces, initiator={"value": value})
    assert (done.success, done.critical, done.margin) == (success, True, margin)


@pytest.mark.rules("SIM-016", "SIM-017", "SIM-018")
def test_two_energies_at_once(result, changes, arthur):
    """Corps 4 + Action 3 + Mécanique 1 − 4 + 2 (Puissance) + 1 (Rapidité) = 7: a 6 by 1, for two PS and one EP."""
    said = {"component": "body", "means": "action", "realm": "mechanical", "energies": "power:2,speed:1,ep:1"}
    gm = {"difficulty": -4, "several_energies": True}
    assert result("simple-test", 2, 4, initiator=said, gm=gm, sheets=arthur) == Check(True, 1)
    written = changes("simple-test", 2, 4, initiator=said, gm=gm, sheets=arthur)
    assert written[("initiator", "breath_points")] == 2
    assert written[("initiator", "psyche_points")] == 3


@pytest.mark.rules("SIM-025", "SIM-026")
@pytest.mark.parametrize(("faces", "winner"), [
    ((2, 4, 2, 3), Winner.TIE),  # 9 − 6 and 8 − 5
    ((4, 5, 4, 4), Winner.BOTH_FAIL),  # 9 is not under 9, 8 not under 8
    ((4, 4, 6, 4), Winner.A),  # one succeeds by 1, the other fails
    ((4, 4, 1, 2), Winner.B),  # by 1, and by 5
])
def test_duels(result, faces, winner):
    assert result("duel", *faces, initiator={"value": 9}, opponent={"value": 8}).winner is winner


@pytest.mark.rules("SIM-029", "SIM-030", "SIM-031")
def test_a_heart_that_gives_way_and_a_mind_that_does_not(result, arthur):
    """Seduced by 3: Cœur 5 + Résistance 2 + Humain 1 − 3 = 5, and a 7 fails by 2.

    By reason then, one less for the change: Esprit 4 + Désir 2 + Humain 1 − 2 − 1 = 4, and a 3 is enough.
    """
    first = result("resist", 3, 4, gm={"attack": "seduction", "aggressor_margin": 3}, sheets=arthur)
    assert first.check == Check(False, 2)
    then = {"failure_margin": 2, "component_change": -1}
    assert result("will", 1, 2, initiator={"component": "mind"}, gm=then, sheets=arthur) == Check(True, 1)


CLUB = {"weapon": "club", "training": "hobby"}


@pytest.mark.rules("SIM-046", "SIM-047", "SIM-051")
def test_one_against_two_watched_both(result):
    """9 − 1 against a 7: by 1. The first of the two, 8 + 1 against a 5: by 4, and hits. The second, by 1: a tie.

    4 + 4 on the dice is 8: the club [A] takes no PV, [F] takes 2 PS.
    """
    fought = result("resolve-melee", 3, 4, 2, 3, 6, 2, 1, 3,
                    initiator={"value": 9, **CLUB, "target": "opponent", "defended": ["opponent", "opponent2"]},
                    opponent=[{"value": 8, **CLUB}] * 2)
    (blow,) = fought.passed.played.blows
    assert (blow.margin, blow.total, blow.pv, blow.ps) == (4, 8, 0, 2)


@pytest.mark.rules("SIM-048", "SIM-051")
def test_one_against_two_who_minds_only_one(result):
    """9 against a 7: by 2. Whom he minds, 8 against a 5: by 3, and hits. The other, 8 + 1 against an 8: by 1 alone."""
    fought = result("resolve-melee", 3, 4, 2, 3, 6, 2, 1, 2, 2, 4,
                    initiator={"value": 9, **CLUB, "target": "opponent", "defended": ["opponent"]},
                    opponent=[{"value": 8, **CLUB}] * 2)
    assert [(blow.margin, blow.total, blow.pv, blow.ps) for blow in fought.passed.played.blows] == [
        (3, 6, 0, 2), (1, 7, 0, 2)]


@pytest.mark.rules("SIM-055", "SIM-058")
def test_a_vital_blow_through_mail(result):
    """12 − 4 (vital) − 2 (deflected) = 6 against a 4: by 2. 2 + 5 + 8 = 15: [F] 4 PV, [A] 1 PS. He, 8 − 1: fails."""
    sword = {"value": 12, "weapon": "long_sword", "training": "hobby", "aim": "vital"}
    (blow,) = result("resolve-melee", 1, 3, 4, 3, 1, 4, initiator=sword,
                     opponent={"value": 8, **CLUB, "armour": "mail"}).passed.played.blows
    assert (blow.margin, blow.total, blow.pv, blow.ps) == (2, 15, 4, 1)


@pytest.mark.rules("SIM-050", "SIM-051", "SIM-052")
@pytest.mark.parametrize(("weapon", "margin", "faces", "pv", "ps"), [
    ("fist_amateur", 2, (4, 5), 0, 1),  # [A−3] at 8, [B] at 11
    ("halberd", 7, (6, 6), 8, 2),  # 19: [H] 8, [B] 2
    ("mortar", 19, (6, 6), 20, 15),  # 31: eight beyond 23, [J] 12 + 4 + 4, [H] 9 + 3 + 3
    ("taser", 0, (1, 2), 0, 1),  # 3: [I] 1
])
def test_damage_in_the_table(result, weapon, margin, faces, pv, ps):
    done = result("roll-damage", *faces, initiator={"margin": margin, "weapon": weapon})
    assert (done.pv, done.ps) == (pv, ps)


@pytest.mark.rules("SIM-038", "SIM-039", "SIM-054")
@pytest.mark.parametrize(("band", "margin", "pv"), [
    ("point_blank", 3, 3),  # two columns up: [F] at 3 + 8 = 11
    ("long", 1, 1),  # two less to hit, two columns down: [B] at 1 + 8 = 9
])
def test_an_arrow_near_and_far(result, band, margin, pv):
    """10 against a 7, an 8 for the damage; a light arrow is [D]."""
    bow = {"value": 10, "training": "hobby", "weapon": "bow_light_arrow", "band": band}
    shot = result("shoot", 3, 4, 3, 5, initiator=bow, opponent={})
    assert (shot.check.margin, shot.damage.pv) == (margin, pv)


@pytest.mark.rules("SIM-074")
def test_a_fall(result):
    """[E+4]PV: 9 on the dice is 13, 3 PV."""
    assert result("automatic-damage", 4, 5, gm={"category": "E+4", "counter": "pv"}).pv == 3


@pytest.mark.rules("SIM-068", "SIM-070")
def test_a_doctor_dresses_a_wound(changes, sheet):
    """Corps 4 + Action 3 + Humain 1 + 1 (his trade) − 2 (missing) = 7: a 6 gives back one, a 7 nothing."""
    both = {"initiator": sheet("arthur"), "patient": sheet("nour", life_points=3)}
    assert changes("dress-wounds", 2, 4, sheets=both)[("patient", "life_points")] == 4
    assert ("patient", "life_points") not in changes("dress-wounds", 3, 4, sheets=both)


@pytest.mark.rules("SIM-077")
def test_a_last_hope_in_people(result, arthur):
    """Désir 2 + Humain 1 = 3: only a double 1 is under it."""
    assert result("last-chance", 1, 1, initiator={"realm": "human"}, sheets=arthur).saved
    assert not result("last-chance", 1, 2, initiator={"realm": "human"}, sheets=arthur).saved


@pytest.mark.rules("SIM-012", "SIM-013")
def test_what_a_doctor_does_without_dice_and_with_them(result, arthur):
    """Médecin at Normal needs no dice; at Malaisé Esprit 4 + Action 3 + Humain 1 − 1 + 1 = 8 against a 7."""
    said = {"component": "mind", "means": "action", "realm": "human", "skill": "Médecin"}
    assert result("simple-test", initiator={**said, "without_dice": True}, gm={"difficulty": 0}, sheets=arthur).success
    assert result("simple-test", 3, 4, initiator=said, gm={"difficulty": -1}, sheets=arthur) == Check(True, 1)
