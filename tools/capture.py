"""Draw the README's picture from the real command line: ``python tools/capture.py``.

Each command is run as a person would type it, and what it prints becomes one SVG. Rich's own template would fetch a
font from outside; ours asks for whatever fixed-width font the reader has.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "terminal.svg"
WIDTH = 92
COMMANDS = [
    "paravent odds conteur throw attribute=6 skill=4 difficulty=2",
    "paravent roll conteur throw attribute=6 skill=4 difficulty=2 --dice 1,4,8,10",
]
LOCAL_FONTS = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "font-family: Fira Code, monospace", "font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace"
)


def said_by(command: str) -> str:
    program, *arguments = shlex.split(command)
    here = Path(sys.executable).with_name(program)
    run = subprocess.run(
        [here, *arguments], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color", "PARAVENT_LANG": "fr"},
    )
    if run.returncode:
        sys.exit(f"$ {command}\n{run.stdout}{run.stderr}")
    return run.stdout


def main() -> None:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
        for command in sys.argv[1:] or COMMANDS:
            console.print(Text.assemble(("$ ", "green"), (command, "bold")))
            console.print(Text.from_ansi(said_by(command)))
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(
        console.export_svg(title="Paravent", code_format=LOCAL_FONTS, unique_id="paravent"), encoding="utf-8"
    )
    print(PICTURE.relative_to(ROOT))


main()
