"""What Simulacres refuses where the table plays without an optional rule."""

from __future__ import annotations

from paravent.game import RuleError, Rulings


class OptionOff(RuleError):
    """The table does not play with this optional rule."""

    code = "simulacres/option-off"
    rule = "SIM-A01"


class CannotAct(RuleError):
    """Whoever has fainted, lies in a coma or is dead does nothing."""

    code = "simulacres/cannot-act"
    rule = "SIM-061"


def needs(option: str, rule_id: str, rulings: Rulings) -> None:
    """Refuse what an option that is off would allow."""
    if rulings[option] == "off":
        raise OptionOff(rule_id, option=option)
