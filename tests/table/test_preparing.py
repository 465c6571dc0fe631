"""Scenes that are prepared: nothing of them is known before they are played, and then everything arrives together."""

import json

from evening import Evening

from paravent.table import commands as c
from paravent.table import events as e


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


def test_what_was_played_can_be_taken_back_step_by_step() -> None:
    at = Ready()
    at.ana.does(c.PlayScene, scene=at.scene)
    undone = [event for _ in range(4) for event in at.ana.does(c.UndoLast)]
    assert {event.what for event in undone if isinstance(event, e.Corrected)} == {
        "document-shown", "record-shown", "said", "scene-opened"}
    assert at.bob.sees()["scene"] == ""
    assert at.spy not in at.bob.sees()["records"]
