"""Pictograms of our own: the three signs that the book gives the hand, each one line in a square of 24."""

from __future__ import annotations

from .fights.combat import Attitude

FIST = (
    "M6 11V8.5a1.8 1.8 0 0 1 3.6 0V11M9.6 10V7a1.8 1.8 0 0 1 3.6 0v3.5"
    "M13.2 10.5v-3a1.8 1.8 0 0 1 3.6 0V11M16.8 11V9.5a1.6 1.6 0 0 1 3.2 0V15"
    "c0 4-2.8 6.5-6.8 6.5S6 19 6 15zM6 13h5.5a1.7 1.7 0 0 1 0 3.4h-2"
)
TWO_FINGERS = (
    "M8.5 12L6.4 5a1.6 1.6 0 0 1 3-.9L11.5 11M12.5 11l1.6-7.5"
    "a1.6 1.6 0 0 1 3.1.7L15.5 12M15.5 12c2-.4 3.2.9 3.2 3 0 4-2.5 6.5-6.2 6.5"
    "-4 0-6.2-2.2-6.5-5.7-.2-2.2.8-3.6 2.5-3.8h3a1.7 1.7 0 0 1 0 3.4h-2"
)
OPEN_HAND = (
    "M7.5 13V6.5a1.5 1.5 0 0 1 3 0V11M10.5 11V4.5a1.5 1.5 0 0 1 3 0V11"
    "M13.5 11V5.5a1.5 1.5 0 0 1 3 0V12M16.5 12V8a1.5 1.5 0 0 1 3 0v7c0 4-2.5 6.5-6 6.5"
    "-3 0-4.7-1.3-6.2-3.8l-2.5-4.2c-1-1.8 1.2-3.2 2.5-1.5l1.2 1.5"
)
SIGNS = {Attitude.ATTACK.value: OPEN_HAND, Attitude.FEINT.value: TWO_FINGERS, Attitude.PARRY.value: FIST}
