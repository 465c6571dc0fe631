"""Pictures made anew from what somebody sends: of a sane size, upright, and nothing in them but the picture itself.

What arrives is anybody's. It is read by a library made for it, only in the formats that we name, only if its size is
bearable before a point of it is read; then it is drawn afresh. Whatever else was in the file (a place, a name, a
script, further images of an animation) is not in what is kept.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .errors import LargePicture, NotAnExport, NotAPicture

if TYPE_CHECKING:
    from PIL.Image import Image

READ = ("JPEG", "PNG", "WEBP", "GIF")
LARGEST_SENT = 12_000_000
"""The bytes of one picture as it is sent."""
LARGEST_KEPT = 2_000_000
MOST_POINTS = 30_000_000
MOST_POINTS_OF_A_PHOTO = 120_000_000
"""A JPEG is made smaller while it is read."""
LARGE, SMALL = 1600, 192
"""The longer side, of a picture as it is kept and of the same in small."""
MEDIA_TYPE = "image/webp"
_PICTURE = '{"paravent":"picture"'


class Redrawn(NamedTuple):
    """A picture made anew: the file, the same in small, its size."""

    content: bytes
    small: bytes
    width: int
    height: int


def too_large(points: int = MOST_POINTS) -> LargePicture:
    """Why a picture is not taken: how large one may be."""
    return LargePicture(megabytes=LARGEST_SENT // 1_000_000, megapoints=points // 1_000_000)


def redrawn(sent: bytes) -> Redrawn:
    """A picture made anew from what somebody sends; the first image of an animation."""
    if len(sent) > LARGEST_SENT:
        raise too_large()
    return _whole(sent)


def _whole(sent: bytes) -> Redrawn:
    from PIL import Image, ImageOps

    try:
        with Image.open(io.BytesIO(sent), formats=READ) as picture:
            most = MOST_POINTS_OF_A_PHOTO if picture.format == "JPEG" else MOST_POINTS
            if picture.width * picture.height > most:
                raise too_large(most)
            picture.draft("RGB", (LARGE, LARGE))
            upright = ImageOps.exif_transpose(picture)
            clear = upright.has_transparency_data
            drawn = upright.convert("RGBA" if clear else "RGB")
    except LargePicture:
        raise
    except Image.DecompressionBombError:
        raise too_large() from None
    except Exception as broken:  # whatever a reader of files stumbles over in somebody's file, it is no picture
        raise NotAPicture() from broken
    drawn.thumbnail((LARGE, LARGE))
    small = drawn.copy()
    small.thumbnail((SMALL, SMALL))
    return Redrawn(_written(drawn), _written(small), drawn.width, drawn.height)


def _written(picture: Image) -> bytes:
    out = io.BytesIO()
    picture.info.clear()
    picture.save(out, "WEBP", quality=80, method=4)
    return out.getvalue()


def is_ours(content: bytes) -> bool:
    """Whether a file is one that :func:`redrawn` could have written: nothing in it but one picture of a sane size."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=("WEBP",)) as picture:
            sane = max(picture.size) <= LARGE and getattr(picture, "n_frames", 1) == 1
            picture.load()
            return sane and not {"exif", "xmp", "icc_profile"} & picture.info.keys() and len(content) <= LARGEST_KEPT
    except Exception:
        return False


# In a file


def picture_line(content: bytes) -> str:
    """A picture as a line of an export."""
    return json.dumps({"paravent": "picture", "content": base64.b64encode(content).decode()}, separators=(",", ":"))


def is_picture_line(line: str) -> bool:
    """Whether a line of an export is a picture."""
    return line.startswith(_PICTURE)


def without_pictures(lines: Iterable[str], found: dict[str, bytes]) -> Iterator[str]:
    """The lines of an export but for its pictures, which are found by the hash of their content."""
    for line in lines:
        if not is_picture_line(line):
            yield line
            continue
        content = _content(line)
        found[hashlib.sha256(content).hexdigest()] = content


def _content(line: str) -> bytes:
    try:
        row = json.loads(line)
        content = base64.b64decode(row["content"] if isinstance(row, Mapping) else "", validate=True)
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        raise NotAnExport(why="picture") from None
    if not is_ours(content):
        raise NotAnExport(why="picture")
    return content
