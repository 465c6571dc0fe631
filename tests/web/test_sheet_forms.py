"""A whole sheet as a form: sent back untouched, it is the same sheet, in every game; what explains a gauge."""

from collections.abc import Iterator
from typing import Any

import pytest

from paravent.game import find_system, system_names, to_plain
from paravent.game.telling import Teller
from paravent.web.desk.sheets import FaultTold, PointsTold
from paravent.web.sheetform import Input, SheetForm
from paravent.web.sheets import SheetDrawer
from paravent.web.staging import judged

READY = [
    (game, kind.id, name) for game in system_names() for kind in find_system(game).kinds.values()
    for name in kind.ready("fr")
]


def sent(entry: Input) -> Iterator[tuple[str, str]]:
    """What a browser sends of an input that nobody touched."""
    if entry.kind in ("group", "rows"):
        for part in (*entry.parts, *(cell for row in entry.rows for cell in row)):
            yield from sent(part)
    elif entry.kind == "flag" and ":" not in entry.path:
        yield f"b:{entry.path}", "1"
        yield from [(f"v:{entry.path}", "yes")] if entry.value else []
    else:
        yield f"{'r' if ':' in entry.path else 'v'}:{entry.path}", _written(entry)


def _written(entry: Input) -> str:
    if entry.kind == "flag":
        return "yes" if entry.value else "no"
    if entry.kind == "choice" and not entry.value and entry.options:
        return entry.options[0][0]  # what a menu shows when nothing of it was chosen
    return "" if entry.value is None else str(entry.value)


@pytest.mark.parametrize(("game", "kind", "name"), READY)
def test_a_form_that_nobody_touched_changes_nothing(game: str, kind: str, name: str) -> None:
    declared = find_system(game).kinds[kind]
    sheet: dict[str, Any] = to_plain(declared.ready("fr")[name])
    form = SheetForm(declared, Teller("fr", find_system(game)))
    untouched = [pair for part in form.parts(sheet) for entry in part.entries for pair in sent(entry)]
    again = form.read(sheet, untouched)
    assert declared.from_plain(again) == declared.from_plain(sheet)


def test_a_gauge_is_explained_by_the_rules_of_its_own_kind_of_sheet() -> None:
    """The resistance of a character is not explained by that of a people."""
    empire = find_system("empire")
    character = empire.kinds["character"]
    solveig = character.ready("fr")["solveig"]
    drawer = SheetDrawer(empire, Teller("fr", empire), empire.book.rulings(), {})
    gauges = drawer.gauges(character, to_plain(solveig), character.derived(solveig, empire.book.rulings()))
    assert [gauge.rule for gauge in gauges] == ["EMP-040", "EMP-040"]


def test_what_a_character_keeps_up_or_suffers_is_told_at_a_glance() -> None:
    simulacres = find_system("simulacres")
    kind = simulacres.kinds["character"]
    drawer = SheetDrawer(simulacres, Teller("fr", simulacres), simulacres.book.rulings(), {})
    kept = {**to_plain(kind.ready("fr")["nour"]), "test_malus": -1, "breath_points": 0, "active_energy_bonuses": [
        {"energy": "speed", "points": 1, "action": "fight"}]}
    told = drawer.states(kind, kept, {}, kind.from_plain(kept))
    assert [state.words.replace("\u00a0", " ") for state in told] == [
        "Rapidité +1 gardée : le combat", "−1 à tous ses tests", "inconscient"]
    assert [state.bad for state in told] == [False, True, True]
    assert drawer.states(kind, {}, {}, None) == []


WRITTEN: dict[str, Any] = {"name": "Léa", "body": 3, "action": 0, "skills": [{"name": "Tir"}]}


def staged() -> SheetForm:
    simulacres = find_system("simulacres")
    return SheetForm(simulacres.kinds["character"], Teller("fr", simulacres), simulacres.book.rulings())


def test_every_part_of_a_sheet_stands_in_one_step_and_bounded_numbers_begin_at_their_least() -> None:
    form = staged()
    parts = form.parts(form.blank())
    steps = form.stages(parts)
    assert [step.title for step in steps] == ["Composantes", "Moyens", "Règnes", "Savoirs", "Relire"]
    assert sorted(part.id for step in steps for part in step.parts) == sorted(part.id for part in parts)
    assert (form.blank()["body"], form.blank()["action"]) == (3, 0)
    assert [(entry.least, entry.most) for entry in steps[0].parts[0].entries] == [(3, 6)] * 4


@pytest.mark.parametrize(("game", "counting"), [("simulacres", {}), ("conteur", {"creation_budget": "standard"})])
def test_an_idea_fills_in_numbers_that_the_rules_allow(game: str, counting: dict[str, str]) -> None:
    """Each idea of each step spends all the points of its step, within bounds, and nothing is unwise about it."""
    system = find_system(game)
    kind = system.kinds["character"]
    rulings = system.book.rulings(counting)
    blank = SheetForm(kind, Teller("fr", system), rulings).blank()
    for stage in kind.stages:
        for idea in stage.ideas.values():
            sheet = kind.from_plain({**blank, **idea})
            spent = {one.id: one.left for one in kind.points(sheet, rulings)}
            assert spent[{"realms": "realms_and_energies"}.get(stage.id, stage.id)] == 0, idea
            bounds = kind.bounds(rulings)
            assert all(bounds[name][0] <= number <= bounds[name][1] for name, number in idea.items())
            assert not {fault.key for fault in kind.check(sheet, rulings)} & {"human_range", "attribute_range"}


def test_what_brings_the_rest_of_its_row_is_written_first() -> None:
    """With a skill of Conteur comes its field: its name is asked before."""
    conteur = find_system("conteur")
    form = SheetForm(conteur.kinds["character"], Teller("fr", conteur), conteur.book.rulings())
    assert [step.title for step in form.stages(form.parts(form.blank()))] == ["Attributs", "Compétences", "Relire"]
    skills = form.entry("skills", [])
    assert skills is not None
    assert [cell.path.rpartition(":")[2] for cell in skills.rows[0]] == ["name", "field", "value"]


def test_what_a_gauge_is_full_at_stands_on_a_sheet_that_has_no_such_gauge_yet() -> None:
    conteur = find_system("conteur")
    kind, rulings = conteur.kinds["character"], conteur.book.rulings()
    drawer = SheetDrawer(conteur, Teller("fr", conteur), rulings, {})
    maelle = to_plain(kind.ready("fr")["maelle-tisserand"])
    new = {name: value for name, value in maelle.items() if name != "luck_used"}
    shown = [{one.name for block in drawer.blocks(kind, sheet, {}) for one in (*block.figures, *block.lines)}
             for sheet in (new, maelle)]
    assert [("Chance" in names) for names in shown] == [True, False]


def test_a_step_tells_its_own_faults_the_last_tells_all_and_a_sum_is_told_once() -> None:
    total, zero = FaultTold("18 !", False, "body"), FaultTold("0 ?", True, "action")
    points = [PointsTold("Composantes", 3, 18, "body"), PointsTold("Moyens", 0, 10, "perception")]
    first = judged(staged(), "components", [total, zero], points, WRITTEN)
    assert (first.faults, [one.title for one in first.left]) == ([], ["Composantes"])
    assert judged(staged(), "means", [total, zero], points, WRITTEN).faults == [zero]
    assert judged(staged(), "again", [total, zero], points, WRITTEN).faults == [total, zero]
    assert first.done == ["means", "realms", "skills"]  # read again only once nothing is missing
    assert judged(staged(), "again", [zero], points[1:], WRITTEN).done[-1] == "again"


def test_a_step_in_which_nothing_stands_yet_is_not_done() -> None:
    """Without a name a sheet may be kept, and is unwise; whoever writes one is not told that this step is done."""
    nameless = FaultTold("il manque un nom", True, "name")
    blank = staged().blank()
    assert "again" not in judged(staged(), "again", [nameless], [], blank).done
    assert "again" in judged(staged(), "again", [nameless], [], {**blank, "name": "Léa"}).done


def test_weapons_are_offered_under_the_names_of_their_families() -> None:
    form = staged()
    (armed,) = [entry for part in form.parts(form.blank()) for entry in part.entries if entry.path == "weapons"]
    families = dict(armed.rows[0][0].families)
    assert "knife" in dict(families["lame à une main"])
    assert "knife" not in dict(armed.rows[0][0].options)
