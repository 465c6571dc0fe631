"""What is worked out of an object when it is first asked for, and kept with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:  # noqa: N801
        """As in ``functools``, which before Python 3.12 takes a lock each time: pages ask for hundreds of such values,
        and two threads that work out the same come to the same."""

        def __init__(self, make: Any) -> None:
            self._make, self.__doc__ = make, make.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, held: Any, owner: type | None = None) -> Any:
            if held is None:
                return self
            value = held.__dict__[self._name] = self._make(held)
            return value


__all__ = ["cached_property"]
