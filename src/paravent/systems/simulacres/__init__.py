"""Simulacres, by Pierre Rosenthal: base rules of version 7."""

from __future__ import annotations

from paravent.game.system import System

SYSTEM = System(id="simulacres", package=__name__, version="0.1.0", moves={}, kinds={})
