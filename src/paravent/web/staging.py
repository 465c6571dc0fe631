"""A sheet that is written step by step: what each step lacks, and which are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from paravent.game.plain import Plain

from .desk.sheets import FaultTold, PointsTold
from .sheetform import SheetForm


class Judged(NamedTuple):
    """What the rules say at a step: what is wrong there, what is left to spend there, the steps that are done."""

    faults: list[FaultTold]
    left: list[PointsTold]
    done: list[str]
    last: bool


def judged(form: SheetForm, stage: str, faults: Sequence[FaultTold], points: Sequence[PointsTold],
           sheet: Mapping[str, Plain]) -> Judged:
    """What is said at a step: its own faults, and at the last one all of them.

    A sum that does not come out is told by the points that are left, and not a second time. What is only unwise leaves
    a step done, unless it is that nothing stands there yet.
    """
    stages = [one.id for one in form.stages([])]
    told = {one.at for one in points if one.left}
    lacking = {fault.at for fault in faults if not fault.mild or sheet.get(fault.at) in ("", [])}
    lacks = {form.stage_of(at) for at in lacking | told}
    last = stage == stages[-1]
    here = [fault for fault in faults if last or (form.stage_of(fault.at) == stage and fault.at not in told)]
    return Judged(here, [one for one in points if form.stage_of(one.at) == stage],
                  [one for one in stages if one not in lacks and not (lacks and one == stages[-1])], last)
