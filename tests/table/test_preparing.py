"""Scenes that are prepared: nothing of them is known before they are played, and then everything arrives together."""

import json

from evening import Evening

from paravent.table import commands as c
from paravent.table import events as e
from paravent.table.export import export_for_gm
from paravent.table.seen import plainly
from paravent.table.view import Looking
from paravent.table.watching import watched


class Ready(Evening):
    """An evening that the game master has prepared."""

    def __init__(self) -> None:
        super().__init__()
        self.spy = self.ana.brings("Espion", "extra", seen_by=("gm",))
        (kept,) = self.ana.does(c.KeepPicture, hash="ab" * 32, width=640, height=480, size=9, words="le hangar")
        self.picture = kept.picture.name
        (kept,) = self.ana.does(c.KeepDocument, title="Le plan", text="Sous la glace.")
        self.plan = kept.document
        (kept,) = self.ana.does(
            c.PrepareScene, title="La galerie", text="Cent marches, puis le silence.", picture=self.picture,
            people=(self.spy,), documents=(self.plan,), note="Tarn trahit.")
        self.scene = kept.scene


def test_nothing_prepared_is_known_before_its_time() -> None:
    at = Ready()
    for person in at.others:
        everything = "".join([*person.received, person.page()])
        for secret in ("galerie", "Cent marches", "Espion", "Le plan", "glace", "trahit", at.picture, at.scene):
            assert secret not in everything, (person.name, secret)
        assert person.refused(c.PlayScene, scene=at.scene) in ("table/only-gm", "table/only-players")
    assert at.ana.sees()["prepared"][at.scene]["note"] == "Tarn trahit."


def test_one_tap_brings_the_picture_the_text_the_people_and_the_documents() -> None:
    at = Ready()
    at.ana.does(c.PlayScene, scene=at.scene)
    for person in at.people:
        seen = person.sees()
        assert seen["scene"] == "La galerie"
        assert seen["backdrop"]["picture"]["name"] == at.picture
        assert at.spy in seen["records"]
        assert seen["documents"][at.plan]["text"] == "Sous la glace."
        assert "Cent marches, puis le silence." in json.dumps(seen["log"])
    assert at.ana.sees()["prepared"][at.scene]["played"] is True
    for person in at.others:
        assert "trahit" not in "".join([*person.received, person.page()]), "notes stay the game master's"


def test_a_prepared_scene_is_written_anew_dropped_and_survives_what_left_meanwhile() -> None:
    at = Ready()
    at.ana.does(c.RemoveRecord, record=at.spy)
    at.ana.does(c.RemoveDocument, document=at.plan)
    at.ana.does(c.PlayScene, scene=at.scene)
    assert at.bob.sees()["scene"] == "La galerie"
    at.ana.does(c.PrepareScene, scene=at.scene, title="La glace")
    assert at.ana.sees()["prepared"][at.scene]["title"] == "La glace"
    at.ana.does(c.DropScene, scene=at.scene)
    assert "prepared" not in at.ana.sees()
    assert at.ana.refused(c.PlayScene, scene=at.scene) == "form/unknown"
    assert at.ana.refused(c.PrepareScene, title="") == "table/empty"
    assert at.ana.refused(c.PrepareScene, title="T", people=("nobody",)) == "form/unknown"
    assert at.bob.refused(c.PrepareScene, title="T") == "table/only-gm"


def test_what_was_played_in_one_tap_is_taken_back_in_one_and_can_be_played_again() -> None:
    at = Ready()
    at.ana.does(c.PlayScene, scene=at.scene)
    undone = at.ana.does(c.UndoLast)
    assert {event.what for event in undone if isinstance(event, e.Corrected)} == {
        "document-shown", "record-shown", "said", "scene-opened"}
    assert [line["what"] for line in at.bob.sees()["log"] if line["type"] == "corrected"] == ["scene-opened"]
    assert at.bob.sees()["scene"] == ""
    assert at.spy not in at.bob.sees()["records"]
    assert "documents" not in at.bob.sees()
    assert not at.ana.sees()["prepared"][at.scene].get("played")
    at.ana.does(c.PlayScene, scene=at.scene)
    assert at.spy in at.bob.sees()["records"]


def everything(person) -> str:
    return "".join([*person.received, person.page()])


def put_aside(at: Ready, **asked) -> str:
    events = at.ana.does(c.PutAside, **asked)
    return next(event.person for event in events if isinstance(event, e.PersonPutAside))


def test_a_deck_of_people_is_the_game_masters_until_somebody_is_drawn() -> None:
    at = Ready()
    before = {person.name: (person.page(), len(person.told)) for person in at.others}
    spy = put_aside(at, record=at.spy)
    new = put_aside(at, kind="extra")
    assert {person.name: (person.page(), len(person.told)) for person in at.others} == before
    assert set(at.ana.sees()["deck"]) == {spy, new}
    assert at.spy not in at.ana.sees()["records"]
    at.ana.does(c.DrawPerson, person=spy)
    assert {person.name: (person.page(), len(person.told)) for person in at.others} == before
    assert at.ana.sees()["records"][spy]["name"] == "Espion"
    at.ana.does(c.UndoLast)
    assert set(at.ana.sees()["deck"]) == {spy, new}, "who is taken back is in the deck again"
    at.ana.does(c.DropPerson, person=new)
    assert at.ana.refused(c.DrawPerson, seen_by=("al",)) == "form/unknown"
    at.ana.does(c.DrawPerson, seen_by=("all",))
    assert at.bob.sees()["records"][spy]["name"] == "Espion"
    assert "deck" not in at.ana.sees()
    assert at.ana.refused(c.DrawPerson) == "form/unknown"
    assert at.ana.refused(c.PutAside, record=at.elya) == "table/not-yours"
    for asked in ((c.DrawPerson, {}), (c.PutAside, {"kind": "extra"}), (c.DropPerson, {"person": spy})):
        assert at.bob.refused(asked[0], **asked[1]) == "table/only-gm"


def test_people_come_out_of_the_deck_with_the_scene_hidden_or_shown() -> None:
    at = Ready()
    shown, hidden = put_aside(at, kind="extra"), put_aside(at, record=at.spy)
    at.ana.does(c.PrepareScene, scene=at.scene, title="La galerie", people=(shown,), hidden=(hidden,))
    at.ana.does(c.PlayScene, scene=at.scene)
    assert shown in at.bob.sees()["records"]
    assert {shown, hidden} <= set(at.ana.sees()["records"])
    for person in at.others:
        assert hidden not in everything(person)
        assert "Espion" not in everything(person)


def test_a_scene_begins_with_its_first_acts_and_nobody_knows_before() -> None:
    at = Ready()
    before = {person.name: (person.page(), len(person.told)) for person in at.others}
    at.ana.does(c.PrepareScene, scene=at.scene, title="La galerie", first={"act": ()})
    assert {person.name: (person.page(), len(person.told)) for person in at.others} == before
    at.ana.does(c.PlayScene, scene=at.scene)
    asked = [act for act in at.table.state.open_moves() if act.move == "act"]
    assert {part.id for act in asked for part in act.cast if part.role == "initiator"} == {at.elya, at.tarn}
    at.ana.does(c.PrepareScene, scene=at.scene, title="Plus bas", first={"act": (at.elya,)})
    at.ana.does(c.PlayScene, scene=at.scene)
    assert len([act for act in at.table.state.open_moves() if act.move == "act"]) == len(asked) + 1
    assert at.ana.refused(c.PrepareScene, title="T", first={"none": ()}) == "form/unknown"
    assert at.ana.refused(c.PrepareScene, title="T", first={"act": ("nobody",)}) == "form/unknown"


def test_private_notes_are_read_by_whoever_wrote_them() -> None:
    at = Ready()
    others = at.ana, at.cy, at.zoe
    before = {person.name: (person.page(), len(person.told)) for person in others}
    at.bob.does(c.KeepNotes, text="Je me méfie d'Ana.")
    assert {person.name: (person.page(), len(person.told)) for person in others} == before
    assert at.bob.sees()["notes"] == {at.bob.seat: "Je me méfie d'Ana."}
    at.ana.does(c.KeepNotes, about=at.bob.seat, text="Bob aime les énigmes.")
    assert at.ana.sees()["notes"] == {at.bob.seat: "Bob aime les énigmes."}
    for person in at.others:
        assert "énigmes" not in everything(person)
    rows = [e.written(event) for event in at.table.events]
    assert "méfie" not in "".join(export_for_gm(rows, at.ana.seat)), "nor are they in a game master's file"
    assert "énigmes" in "".join(export_for_gm(rows, at.ana.seat))
    at.bob.does(c.KeepNotes)
    assert "notes" not in at.bob.sees()
    assert at.bob.refused(c.KeepNotes, about=at.cy.seat, text="x") == "table/only-gm"
    assert at.zoe.refused(c.KeepNotes, text="x") == "table/only-players"


def test_what_a_player_seals_is_not_seen_through_their_eyes() -> None:
    at = Ready()
    number = at.bob.starts("duel", {"initiator": [at.elya], "opponent": [at.tarn]})
    at.bob.fills(number, stance=2)
    through = Looking(watched(at.table.state, at.bob.seat), at.bob.seat, at.table.system)
    assert at.bob.sees()["moves"][str(number)]["fields"][at.elya]["stance"] == 2
    assert "stance" not in through.moves()[number].fields.get(at.elya, {})
    at.cy.fills(at.cy.sees()["moves"][str(number)]["number"], stance=1)
    through = Looking(watched(at.table.state, at.bob.seat), at.bob.seat, at.table.system)
    assert plainly(through.whole()) == at.bob.sees(), "once it is open, they see the same"
