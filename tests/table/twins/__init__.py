"""Two tables of one game, played in step: the same public acts and the same open faces, other secrets.

What is public is done at both tables at once, under the same label, so that names, keys and times are the same. What
is secret is done at each table apart, as often as it pleases. An evening has **keepers**, who know the secrets, and
**watchers**, who may not; nothing here is about one game: moves, fields, kinds and encounters are read from what a game
declares, values from its examples and from what its forms ask.

Whether an act reveals something is asked of :mod:`declared`, never of the view. An act after which the watchers were
meant to know different things is not done at all: other faces are tried first, then the secrets of that move are made
equal, and if that does not help the game master cancels it. So whatever is done leaves both tables with the same facts
for every watcher, and every byte that they may receive has to be the same.

Each chapter is a class that goes on from the one before: the pair, filling, conspiring, going on, starting.
"""

from .games import games, rota
from .pair import FACES_OF, MODES, Leak, blind_faces, same
from .side import Side
from .starting import Starting


class Evening(Starting):
    """Twins played by people who do what is asked of them, and conspire in between."""

    def plays(self, moves: list[str], steps: int, acts: int = 10**6) -> None:
        """Start each of these moves and go on with whatever is open; no more than so many acts in all."""
        for at, move in enumerate(moves, start=1):
            until = self.acts + max(4, (acts - self.acts) // (len(moves) + 1 - at))
            self.conspires()
            self.starts(move)
            for _ in range(steps):
                self.conspires()
                if self.acts > until or not self.steps():
                    break
                self.look(f"after {move}")
            self.ends(most=3)
        self.ends(most=0)
        self.exports()


__all__ = ["FACES_OF", "MODES", "Evening", "Leak", "Side", "blind_faces", "games", "rota", "same"]
