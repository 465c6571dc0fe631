"""What the skills on a sheet are worth beside their rank: hobbies, genius, care."""

from __future__ import annotations

from paravent.systems.simulacres.actors import Person
from paravent.systems.simulacres.care.health import CareSkill
from paravent.systems.simulacres.terms import TABLES, Rank

from .campaign import noted_level
from .cast import Extra
from .character import find_rank, plain_name


def is_hobby(sheet: Person, name: str) -> bool:
    """Whether this is a hobby of the sheet, and no talent: in a campaign it adds nothing to a test."""
    hobbies = {plain_name(hobby.name) for hobby in sheet.hobbies}
    return plain_name(name) in hobbies and noted_level(sheet.talent_levels, name) is None


def is_genius(sheet: Person, name: str) -> bool:
    """Whether this is the one domain in which somebody is beyond the human norm."""
    return isinstance(sheet, Extra) and plain_name(sheet.genius) == plain_name(name)


def care_skill(sheet: Person | None) -> CareSkill:
    """What a sheet is worth for dressing wounds and diagnosis."""
    if sheet is None:
        return CareSkill.NONE
    known = [CareSkill(row[1]) for row in TABLES["care_skills"].rows if _strong(sheet, row[0])]
    return max(known, key=list(CareSkill).index, default=CareSkill.NONE)


def minds_skill(sheet: Person | None) -> bool:
    """Whether a sheet has a skill that helps to care for minds."""
    return sheet is not None and any(
        find_rank(sheet, row[0]) is not Rank.NONE for row in TABLES["care_skills"].rows if row[2] == "yes"
    )


def _strong(sheet: Person, name: str) -> bool:
    """Whether a talent or a trade of this name is on the sheet: an amateur is no carer."""
    return any(plain_name(skill.name) == name for skill in (*sheet.trades, *sheet.talents))
