"""Scene (f), a rough Empire galactique: four school years, a promotion, leaving: creation played as an encounter.

Bob's Sélène studies with the merchants. Each year she throws for a skill and for what she learns of it; after four
years she may be promoted, then stay or leave with some money. Everything is thrown in the open, by her player.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import pytest
from paravent.game.session import Session

from paravent.dice import Dice, chain
from paravent.dice.play import ScriptedFaces
from paravent.game import (
    Ask,
    BadRecord,
    Call,
    Change,
    Context,
    Encounter,
    Fault,
    Field,
    Move,
    NotNow,
    NotYours,
    Opened,
    RecordKind,
    Resolve,
    Rulings,
    Telling,
    TextField,
    Whole,
    changed,
)
from seats import page, rough, told

# --- The game -------------------------------------------------------------------------------------------------------

TERM = 4


@dataclass(frozen=True)
class Character:
    name: str
    guild: int
    required: int
    """The characteristic that the guild asks for."""
    age: int = 18
    grade: int = 0
    skills: dict[str, int] = field(default_factory=dict)
    credits: int = 0

    @property
    def levels(self) -> int:
        return sum(self.skills.values())


@dataclass(frozen=True)
class School:
    """Who studies: nobody yet, or a sheet being written; years passed; whether this term's promotion is settled."""

    student: Character
    years: int = 0
    promoted: bool = False
    left: bool = False

    @property
    def term_ends(self) -> bool:
        return self.years > 0 and self.years % TERM == 0


class Year(NamedTuple):
    skill: str
    levels: int


def checked(sheet: Character, rulings: Rulings) -> list[Fault]:
    too_high = sheet.grade > sheet.levels // 3
    return [Fault("grade-too-high", "EMP-035", values={"grade": sheet.grade})] if too_high else []


def school_year(dice: Dice, guild: int, required: int) -> Year:
    """EMP-033, EMP-034: one die for the skill; three dice against the guild's characteristic."""
    skill = f"{guild}{dice.sum(1, 6)}"
    total = dice.sum(3, 6)
    levels = 2 if total == required else 1 if total < required else 0
    dice.note("EMP-034", "learnt", total=total, required=required)
    return Year(skill, levels)


def promotion(dice: Dice, levels: int, grade: int) -> bool:
    """EMP-035: three levels more for each grade, one step a term, three steps at school."""
    return grade < 3 and levels >= 3 * (grade + 1)


def leave(dice: Dice, guild: int, grade: int) -> int:
    """EMP-036: what one leaves school with."""
    return dice.sum(1, 6) * guild * max(1, grade) * 1000


def student(ctx: Context) -> Character:
    return ctx.encounter.student


def after_year(ctx: Context, year: Year) -> list[Change]:
    before = student(ctx)
    skills = {**before.skills, year.skill: min(6, before.skills.get(year.skill, 0) + year.levels)}
    return [
        *changed("encounter", ctx.encounter, "student.age", before.age + 1),
        *(changed("encounter", ctx.encounter, "student.skills", skills, "EMP-034") if year.levels else ()),
        *changed("encounter", ctx.encounter, "years", ctx.encounter.years + 1),
        *changed("encounter", ctx.encounter, "promoted", False),
    ]


def after_promotion(ctx: Context, passed: bool) -> list[Change]:
    return [
        *changed("encounter", ctx.encounter, "student.grade", student(ctx).grade + passed, "EMP-035"),
        *changed("encounter", ctx.encounter, "promoted", True),
    ]


def after_leaving(ctx: Context, credits: int) -> list[Change]:
    sheet = Character(**{**vars(student(ctx)), "credits": credits})
    return [
        Change(sheet.name, "", None, sheet, "EMP-036", kind="character"),
        *changed("encounter", ctx.encounter, "left", True),
    ]


NAME, GUILD, REQUIRED = Field("name", TextField()), Field("guild", Whole(1, 6)), Field("required", Whole(2, 12))


def enrolled(dice: Dice, name: str, guild: int, required: int) -> Character:
    return Character(name, guild, required)


ENROL = Move(
    "enrol",
    steps=(
        Ask("school", (NAME, GUILD, REQUIRED)),
        Resolve("enrol", lambda ctx: Call(enrolled, ctx[NAME], ctx[GUILD], ctx[REQUIRED]), auto=True,
                outcome=lambda sheet: "enrolled",
                opens=lambda ctx, sheet: Opened("school", School(sheet))),
    ),
)
YEAR = Move(
    "school-year",
    steps=(Resolve("year", lambda ctx: Call(school_year, student(ctx).guild, student(ctx).required),
                   lambda ctx, year: [Telling("outcomes.year", year._asdict())],
                   lambda year: f"levels-{year.levels}", lambda year: year.levels, after_year),),
    encounter="school",
    when=lambda ctx: not ctx.encounter.term_ends or ctx.encounter.promoted,
)
PROMOTION = Move(
    "promotion",
    steps=(Resolve("promotion", lambda ctx: Call(promotion, student(ctx).levels, student(ctx).grade),
                   lambda ctx, passed: [Telling("outcomes.promoted" if passed else "outcomes.not-promoted")],
                   changes=after_promotion, auto=True),),
    encounter="school",
    when=lambda ctx: ctx.encounter.term_ends and not ctx.encounter.promoted,
)
LEAVE = Move(
    "leave-school",
    steps=(Resolve("leave", lambda ctx: Call(leave, student(ctx).guild, student(ctx).grade),
                   lambda ctx, credits: [Telling("outcomes.left", {"credits": credits})], changes=after_leaving),),
    encounter="school",
    when=lambda ctx: ctx.encounter.term_ends and ctx.encounter.promoted,
)
SYSTEM = rough(
    "rough-school", [ENROL, YEAR, PROMOTION, LEAVE], [RecordKind("character", Character, check=checked)],
    [Encounter("school", School, over=lambda school: school.left)],
)

# --- The scene ------------------------------------------------------------------------------------------------------

SEATS = {"Maud": "gm", "Ana": "player", "Bob": "player", "Eve": "spectator"}


@pytest.fixture
def faces() -> ScriptedFaces:
    return ScriptedFaces([])


@pytest.fixture
def session(faces: ScriptedFaces) -> Session:
    session = Session(SYSTEM, SEATS, faces=faces)
    move = session.start("Bob", "enrol", form={"Bob": {"name": "Sélène", "guild": 4, "required": 10}})
    session.accept("Maud", move)
    return session


def does(session: Session, faces: ScriptedFaces, move: str, *thrown: int) -> int:
    faces.left += thrown
    number = session.start("Bob", move, encounter=1)
    if thrown:
        session.throw("Bob", number)
    session.accept("Maud", number)
    return number


def four_years(session: Session, faces: ScriptedFaces) -> None:
    does(session, faces, "school-year", 3, 2, 3, 4)
    does(session, faces, "school-year", 3, 2, 4, 4)
    does(session, faces, "school-year", 6, 6, 6, 1)
    does(session, faces, "school-year", 1, 1, 1, 2)


def open_moves(session: Session) -> list[str]:
    views = {seat: session.seen(seat)["encounters"][0]["moves"] for seat in SEATS}
    assert len({tuple(moves) for moves in views.values()}) == 1
    return views["Eve"]


def test_four_years_a_promotion_and_leaving_write_a_sheet(session: Session, faces: ScriptedFaces) -> None:
    """One level, two (exactly ten), none, one: four levels, enough for the first grade; five thousand times four."""
    assert open_moves(session) == ["school-year"]
    four_years(session, faces)
    state = session.encounters[1].state
    assert (state.student.skills, state.student.age, state.years) == ({"43": 3, "41": 1}, 22, 4)
    assert open_moves(session) == ["promotion"]
    does(session, faces, "promotion")
    assert open_moves(session) == ["school-year", "leave-school"]
    does(session, faces, "leave-school", 5)
    assert open_moves(session) == []
    sheet = session.records["Sélène"]
    assert sheet.record == Character("Sélène", 4, 10, 22, 1, {"43": 3, "41": 1}, 20_000)
    assert sheet.owner == "Bob"
    assert faces.left == []
    for seat in SEATS:
        assert session.seen(seat)["records"]["Sélène"]["credits"] == 20_000
        assert told(session, seat)[-1] == ("outcomes.left", {"credits": 20_000})


def test_one_leaves_at_the_end_of_a_term_and_not_before(session: Session, faces: ScriptedFaces) -> None:
    does(session, faces, "school-year", 3, 2, 3, 4)
    for move in ("leave-school", "promotion"):
        before = page(session, "Maud")
        with pytest.raises(NotNow):
            session.start("Bob", move, encounter=1)
        assert page(session, "Maud") == before


def test_a_fifth_year_waits_for_the_promotion(session: Session, faces: ScriptedFaces) -> None:
    four_years(session, faces)
    with pytest.raises(NotNow):
        session.start("Bob", "school-year", encounter=1)
    does(session, faces, "promotion")
    does(session, faces, "school-year", 2, 1, 1, 1)
    assert open_moves(session) == ["school-year"]


def test_too_little_learnt_is_no_promotion(session: Session, faces: ScriptedFaces) -> None:
    for _ in range(4):
        does(session, faces, "school-year", 1, 6, 6, 6)
    does(session, faces, "promotion")
    assert session.encounters[1].state.student.grade == 0
    assert told(session, "Ana")[-1] == ("outcomes.not-promoted", {})


def test_a_year_is_its_student_s_to_throw(session: Session) -> None:
    move = session.start("Bob", "school-year", encounter=1)
    for outsider in ("Ana", "Eve"):
        with pytest.raises(NotYours):
            session.throw(outsider, move)
    with pytest.raises(NotYours):
        session.start("Eve", "school-year", encounter=1)


def test_leaving_undone_takes_the_sheet_away_again(session: Session, faces: ScriptedFaces) -> None:
    four_years(session, faces)
    does(session, faces, "promotion")
    left = does(session, faces, "leave-school", 5)
    session.undo("Maud", left)
    assert "Sélène" not in session.records
    assert open_moves(session) == ["school-year", "leave-school"]


def test_a_sheet_that_breaks_the_rules_is_not_let_in(session: Session, faces: ScriptedFaces) -> None:
    four_years(session, faces)
    does(session, faces, "promotion")
    faces.left += [5]
    number = session.start("Bob", "leave-school", encounter=1)
    session.throw("Bob", number)
    before = session._kept()
    with pytest.raises(BadRecord):
        session.accept("Maud", number, amend={0: {"name": "Sélène", "guild": 4, "required": 10, "grade": 3}})
    assert session._kept() == before


def test_the_odds_of_a_year_are_open_to_all(session: Session) -> None:
    """Of 216 ways, 81 fall under ten, 27 on it: half of the years teach something."""
    move = session.start("Bob", "school-year", encounter=1)
    for seat in SEATS:
        weighed = session.odds(seat, move)
        assert weighed is not None
        assert weighed[None].chance(lambda year: year.levels > 0) == Fraction(81 + 27, 216)


def test_school_may_be_foretold_by_the_same_rule() -> None:
    """The step that is played is the step that is repeated: levels after a term, exactly."""

    def year(dice: Dice, state: tuple[int, int], required: int) -> tuple[int, int]:
        years, levels = state
        return years + 1, levels + dice.resolve(school_year, 4, required).levels

    end = chain(year, (0, 0), 10, over=lambda state: state[0] == TERM)
    assert end.mean_steps == TERM
    assert end.ends.mean(lambda state: state[1]) * 216 == TERM * (81 + 2 * 27)
