"""A sheet that is being written is kept as it goes: for its writer alone, until it is handed in."""

from evening import Evening

from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.drafts import draft_of
from paravent.table.export import export_for_gm


def test_what_is_being_written_is_kept_and_gone_on_with(evening: Evening) -> None:
    bob = evening.bob
    bob.does(c.SaveDraft, of="character", values={"name": "Ilse"})
    bob.does(c.SaveDraft, of="character", values={"name": "Ilse", "body": 4})
    assert draft_of(evening.table.state, bob.seat, "character") == {"name": "Ilse", "body": 4}
    assert draft_of(evening.table.state, evening.cy.seat, "character") == {}
    assert bob.does(c.SaveDraft, of="character", values={"name": "Ilse", "body": 4}) == []
    bob.does(c.SaveDraft, of="character")
    assert draft_of(evening.table.state, bob.seat, "character") == {}
    assert bob.refused(c.SaveDraft, of="dragon") == "form/unknown"


def test_nobody_else_knows_that_something_is_being_written(evening: Evening) -> None:
    others = (evening.ana, evening.cy, evening.zoe)
    before = [person.sees() for person in others]
    evening.bob.does(c.SaveDraft, of="character", values={"name": "Ilse"})
    assert [person.sees() for person in others] == before
    log = [e.written(event) for event in evening.table.events]
    assert not any("Ilse" in line for line in export_for_gm(log, evening.ana.seat))
