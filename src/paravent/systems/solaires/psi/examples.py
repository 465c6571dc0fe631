"""Examples of the moves of the implant."""

from __future__ import annotations

from paravent.systems.solaires.samples import HOLDING, PSION, V5, Examples

EXAMPLES: Examples = {
    "use-psi-power": [
        {"form": {"initiator": [{"use": "maintained", "object": "le sas", "element": "Implant psi"}],
                  "gm": [{"perceived": False, "true_target": "la cloison"}]}, "sheets": {"initiator": PSION}},
        {"form": {"initiator": [{"use": "perception"}]}, "sheets": {"initiator": HOLDING}},
        {"form": {"initiator": [{"use": "one_off", "element": 2}], "gm": [{"failure_cause": "misjudged"}]},
         "options": V5},
        {"form": {"initiator": [{"use": "one_off", "element": 1}], "gm": [{"failure_cause": "perception_missed"}]}},
    ],
    "release-psi-effect": [{"form": {}}, {"form": {}, "sheets": {"initiator": HOLDING}}],
}
