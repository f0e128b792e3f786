"""What the naming network tells apart: the classes, and what is true of each.

A class is a tile type as it can lie: type and quarter turns clockwise of the
engine's canonical orientation, but turns that the rules can not tell apart
(edges and connections equal) are one class, under the smallest turn. Garden
copies share their class with the plain type; a head of its own tells them.
Tiles of boxes that are not told apart, most of all of expansions, share one class,
OTHER: they are tiles, but none of these types.
"""

import json
import pathlib

EDGE_LETTERS = "crfs"

# Edges that the letters of the pictures have at turn 0 there (n e s w).
PHOTO_EDGES = {
    "A": "ffrf", "B": "ffff", "C": "cccc", "D": "crfr", "E": "cfff", "F": "fcfc", "G": "fcfc",
    "H": "cfcf", "I": "cffc", "J": "crrf", "K": "cfrr", "L": "crrr", "M": "cffc", "N": "cffc",
    "O": "crrc", "P": "crrc", "Q": "ccfc", "R": "ccfc", "S": "ccrc", "T": "ccrc", "U": "rfrf",
    "V": "ffrr", "W": "frrr", "X": "rrrr"}

BASE = ["B." + letter for letter in PHOTO_EDGES]
RIVER = ["R.spring", "R.lake", "R1.B", "R1.C", "R1.D", "R1.E", "R1.F", "R1.G", "R1.H", "R1.I",
         "R1.J", "R1.K", "R1c3.A", "R1c3.L"]
OTHER = ""
GARDENS = {"B.E": "B.Eg", "B.H": "B.Hg", "B.I": "B.Ig", "B.M": "B.Mg", "B.N": "B.Ng",
           "B.R": "B.Rg", "B.U": "B.Ug", "B.V": "B.Vg", "R1.J": "R1.Jg"}
FLAGS = ["monastery", "coat_of_arms", "garden", "one_city"]


def turned(edges, turns):
    """Edges (n e s w) after quarter turns clockwise."""
    turns %= 4
    return edges[-turns:] + edges[:-turns] if turns else edges


class Classes:
    """The classes in the order of the network's outputs; the last is "no tile"."""

    def __init__(self, shared):
        facts = json.loads((pathlib.Path(shared) / "tilesets/tiles.json").read_text())["tiles"]
        self.edges = {t: facts[t]["edges"] for t in BASE + RIVER}
        self.edges[OTHER] = "----"  # not known, but the same in every turn
        self.period = {t: next(k for k in (1, 2, 4) if turned(e, k) == e)
                       for t, e in self.edges.items()}
        self.names = [(t, r) for t in self.edges for r in range(self.period[t])]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.other = self.index[OTHER, 0]
        self.none = len(self.names)
        self.count = self.none + 1
        self.flags = {OTHER: [0.0] * len(FLAGS)}
        for t in BASE + RIVER:
            segments = facts[t]["segs"]
            cities = [s for s in segments if s["k"] == "city"]
            self.flags[t] = [
                float(any(s["k"] == "monastery" for s in segments)),
                float(any(s.get("pennants") for s in segments)),
                0.0,
                float(len(cities) == 1 and len(cities[0]["e"]) > 1)]

    def of(self, tile, turns):
        return self.index[(tile, turns % self.period[tile])]

    def turns_from_edges(self, tile, seen):
        """Quarter turns clockwise of canonical, from the edges as seen."""
        for k in range(4):
            if turned(self.edges[tile], k) == seen:
                return k
        raise ValueError(f"{tile} can not show edges {seen}")
