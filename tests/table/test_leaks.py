"""Ways in which a table once told what it should not, each as a small story; the proof by difference found them."""

from evening import Evening

from paravent.table import commands as c
from paravent.table.forms import start_form_seen


def test_somebody_hidden_in_a_move_does_not_change_the_odds_that_others_are_shown(evening: Evening) -> None:
    spy = evening.ana.brings("Espion", seen_by=("gm",))
    alone = evening.ana.starts("pass-time", {"character": []}, {"gm": {"time_span": "night"}})
    watched = evening.ana.starts("pass-time", {"character": [spy]}, {"gm": {"time_span": "night"}})
    for person in evening.others:
        number = {at: person.table.state.counts_of(person.seat).moves[str(at)] for at in (alone, watched)}
        assert person.odds(number[alone]) == person.odds(number[watched])
        assert person.odds(number[watched]) is not None


def test_whoever_left_may_still_look_at_a_form(evening: Evening) -> None:
    number = evening.bob.starts("leap", {"initiator": [evening.elya]})
    evening.bob.does(c.Leave)
    assert [row["field"] for row in evening.bob.form(number)["fields"]] == ["score"]
    assert evening.bob.odds(number) is not None
    form = start_form_seen(evening.table.state, evening.bob.seat, "leap", {}, None, evening.table.system)
    assert form["roles"]
