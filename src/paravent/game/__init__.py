"""The words all games share: systems, records, moves, encounters, changes, audiences, rules, options, errors."""

from paravent.dice.errors import ParaventError

from .days import Calendar
from .errors import (
    BadRecord,
    BadValue,
    FormError,
    MissingField,
    NotNow,
    NotUnderstood,
    NotYours,
    OutOfRange,
    RuleError,
    UnknownName,
)
from .evenings import Beat
from .eyes import others
from .fields import AnyType, FieldFacts, Flag, Group, Many, OneOf, Score, SheetOf, TextField, Whole
from .maps import Map, Path, Spot
from .move import (
    EXISTENCE_ONLY,
    GAME_MASTER,
    INITIATOR,
    INVISIBLE,
    OPEN,
    OUTCOME_HIDDEN,
    OWN_DICE,
    Actor,
    AnyField,
    AnyResolve,
    Ask,
    Call,
    Context,
    Field,
    Follow,
    Forecast,
    Move,
    Opened,
    Resolve,
    Role,
    Shown,
    Telling,
    Window,
)
from .people import SOMEBODY, Heads, People, Who, heads, people
from .plain import Plain, Value
from .records import (
    EVERYONE,
    GM_ONLY,
    AnyKind,
    Audience,
    BodyFigure,
    Change,
    Chips,
    Fault,
    Glimpse,
    PointsLeft,
    RecordKind,
    RowParts,
    Section,
    Segment,
    Shortcut,
    Stage,
    Suggestion,
    Weight,
    apply,
    changed,
    from_plain,
    only,
    to_plain,
)
from .rulebook import Option, Rule, RuleBook, Rulings
from .shapes import (
    Cards,
    Figure,
    Grid,
    Notch,
    Passages,
    Phrase,
    Pills,
    Pips,
    Place,
    Shape,
    ShapeFacts,
    Steps,
    Track,
)
from .spans import PASS_TIME, TIME_COUNT, TIME_SPAN, minutes_of, time_goes_by
from .system import (
    AnyEncounter,
    Encounter,
    Example,
    Filled,
    Listing,
    Newcomer,
    System,
    Timeline,
    find_system,
    system_at,
    system_names,
)
from .tables import Table, Tables
from .trace import rule
from .upgrades import Together
from .words import LANGUAGES, Words, house_words, in_language

__all__ = [
    "EVERYONE", "EXISTENCE_ONLY", "GAME_MASTER", "GM_ONLY", "INITIATOR", "INVISIBLE", "LANGUAGES", "OPEN",
    "OUTCOME_HIDDEN", "OWN_DICE", "PASS_TIME", "SOMEBODY", "TIME_COUNT", "TIME_SPAN", "Actor", "AnyEncounter",
    "AnyField", "AnyKind", "AnyResolve", "AnyType", "Ask", "Audience", "BadRecord", "BadValue", "Beat", "BodyFigure",
    "Calendar", "Call", "Cards", "Change", "Chips", "Context", "Encounter", "Example", "Fault", "Field", "FieldFacts",
    "Figure", "Filled", "Flag", "Follow", "Forecast", "FormError", "Glimpse", "Grid", "Group", "Heads", "Listing",
    "Many", "Map", "MissingField", "Move", "Newcomer", "NotNow", "NotUnderstood", "NotYours", "Notch", "OneOf",
    "Opened", "Option", "OutOfRange", "ParaventError", "Passages", "Path", "People", "Phrase", "Pills", "Pips",
    "Place", "Plain", "PointsLeft", "RecordKind", "Resolve", "Role", "RowParts", "Rule", "RuleBook", "RuleError",
    "Rulings", "Score", "Section", "Segment", "Shape", "ShapeFacts", "SheetOf", "Shortcut", "Shown", "Spot", "Stage",
    "Steps", "Suggestion", "System", "Table", "Tables", "Telling", "TextField", "Timeline", "Together", "Track",
    "UnknownName", "Value", "Weight", "Who", "Whole", "Window", "Words", "apply", "changed", "find_system",
    "from_plain", "heads", "house_words", "in_language", "minutes_of", "only", "others", "people", "rule",
    "system_at", "system_names", "time_goes_by", "to_plain",
]
