"""What tilewarden up told of a game, compared with what really happened: for evaluate-games."""

import collections
import json
import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
IN_TIME = 2  # settled frames


def turned(edges, quarter_turns):
    """Edges from north clockwise, after so many quarter turns clockwise."""
    k = quarter_turns % 4
    return edges[-k:] + edges[:-k] if k else edges


def turned_cell(x, y, quarter_turns):
    """A cell, y south, after quarter turns clockwise of the board about (0, 0)."""
    for _ in range(quarter_turns % 4):
        x, y = -y, x
    return x, y


def load_types():
    """Canonical edges of every tile type, and the first type that is the same to the rules,
    from the engine's own data."""
    types, first = {}, {}
    for path in sorted((ROOT / "engine/tilesets").glob("*.toml")):
        for tile in tomllib.loads(path.read_text()).get("tile", []):
            facts = {k: v for k, v in tile.items() if k not in ("id", "upright")}
            twin = first.setdefault(json.dumps(facts, sort_keys=True), tile["id"])
            types[tile["id"]] = (tile["edges"], twin)
    return types


def special_figures(state):
    """What stands there beside followers: name and cell of each."""
    return sorted((f["kind"].removeprefix("FIGURE_KIND_").lower().replace("_", "-"),
                   (f["cell"]["x"], f["cell"]["y"]))
                  for f in state["figures"] + state.get("neutral_figures", [])
                  if f["kind"] != "FIGURE_KIND_FOLLOWER")


class Followed:
    """What the program told while it followed a game."""

    def __init__(self, told):
        self.raised = []  # frame, finding
        self.cleared = {}  # frame, by finding
        self.asked = []  # frame, question
        self.settled = set()  # frames
        self.state = None
        self.special = {}  # figures by name and cell, by frame
        self.final = None
        for frame, kind, what in told:
            if kind == "state":
                self.settled.add(frame)
                self.state = what
                self.special[frame] = special_figures(what)
            elif "finding_raised" in what:
                self.raised.append((frame, what["finding_raised"]))
            elif "finding_cleared" in what:
                self.cleared[what["finding_cleared"]["id"]] = frame
            elif "question_asked" in what:
                self.asked.append((frame, what["question_asked"]))
            elif "ended" in what:
                self.final = {p["colour"]: int(p["score"]) for p in what["players"]}
            if kind == "event" and "ended" not in what and what.get("revised", {}).get("state"):
                self.state = what["revised"]["state"]


class Comparison:
    def __init__(self, truth, followed, types):
        self.truth = truth
        self.followed = followed
        self.types = types
        self.settled = [i for i, f in enumerate(truth["timeline"]) if f["settled"]]
        self.count = collections.Counter()
        self.by_kind = collections.Counter()
        self.notes = []
        self.compare_turns()
        self.compare_final()
        self.compare_mistakes()
        self.count["questions"] = len(followed.asked)
        for frame, question in followed.asked:
            self.notes.append(f"frame {frame}: asked: {question['text']}")
        seen = followed.settled
        self.count["frames"] = len(truth["timeline"])
        self.count["settled frames"] = len(self.settled)
        self.count["taken for hands"] = sum(i not in seen for i in self.settled)

    def board(self, turns, k):
        """(cell, tile, edges) and player by number, the board turned by k quarters; twins, which
        the rules cannot tell apart, as one."""
        placed = {}
        for number, (x, y), tile, rotation, colour in turns:
            edges, twin = self.types[tile]
            edges = turned(edges, int(rotation) + k)
            placed[number] = ((turned_cell(x, y, k), twin, edges), colour)
        return placed

    def compare_turns(self):
        colours = self.truth["colours"]
        start = self.truth["start"]
        should = [(0, tuple(start["cell"]), start["tile"], start["rotation"], "")] + [
            (t["number"], tuple(t["cell"]), t["tile"], t["rotation"], colours[t["player"]])
            for t in self.truth["turns"]
        ]
        tiles = self.followed.state["tiles"] if self.followed.state else []
        ours = [(t["turn"], (t["cell"]["x"], t["cell"]["y"]), t["tile"], t["rotation"],
                 t["colour"]) for t in tiles]
        should = self.board(should, 0)
        boards = [self.board(ours, k) for k in range(4)]
        turns = max(range(4),
                    key=lambda k: sum(boards[k].get(n) == turn for n, turn in should.items()))
        best = boards[turns]
        self.compare_special(turns)
        for number, turn in should.items():
            if number == 0:
                continue
            self.count["turns"] += 1
            if best.get(number) == turn:
                self.count["turns right"] += 1
            else:
                self.notes.append(f"turn {number}: {best.get(number)}, not {turn}")
        for number in best.keys() - should.keys():
            self.notes.append(f"turn {number}: {best[number]}, not played")

    def compare_special(self, k):
        """Every settled frame that shows special figures, but for those with a mistake."""
        for frame in self.settled:
            should = sorted((f["figure"], tuple(f["cell"]))
                            for f in self.truth["timeline"][frame].get("special", []))
            wrong_now = any(frame in self.window(m) for m in self.truth["mistakes"])
            if not should or wrong_now or frame not in self.followed.special:
                continue
            ours = sorted((name, turned_cell(*cell, k))
                          for name, cell in self.followed.special[frame])
            self.count["special"] += 1
            if ours == should:
                self.count["special right"] += 1
            else:
                self.notes.append(f"frame {frame}: special figures {ours}, not {should}")

    def compare_final(self):
        should = dict(zip(self.truth["colours"], self.truth["final"]["scores"]))
        ours = self.followed.final or {}
        right = all(ours.get(colour, 0) == score for colour, score in should.items())
        self.count["games"] = 1
        self.count["final right"] = right
        self.count["wrong, not asked"] = not right and not self.followed.asked
        if not right:
            self.notes.append(f"final scores {ours}, not {should}")

    def window(self, mistake):
        return range(mistake["made_frame"], mistake["over_frame"] + 1)

    def compare_mistakes(self):
        truly = set()
        for mistake in self.truth["mistakes"]:
            self.count["mistakes"] += 1
            kind = mistake["kind"]
            told = [i for i, (frame, finding) in enumerate(self.followed.raised)
                    if finding["code"] in mistake["codes"] and frame in self.window(mistake)]
            truly.update(told)
            if not told:
                self.count["missed"] += 1
                self.by_kind["missed " + kind] += 1
                self.notes.append(f"frame {mistake['plain_frame']}: {kind} missed")
                continue
            first = self.followed.raised[told[0]][0]
            looks = sum(mistake["plain_frame"] <= i <= first for i in self.settled)
            late = looks > IN_TIME
            self.count["late" if late else "in time"] += 1
            if late:
                self.by_kind["late " + kind] += 1
                self.notes.append(f"frame {mistake['plain_frame']}: {kind} told in settled frame "
                                  f"{looks} that shows it")
            self.compare_cleared(mistake, [self.followed.raised[i][1] for i in told])
        for i, (frame, finding) in enumerate(self.followed.raised):
            if i in truly or finding["severity"] == "SEVERITY_NOTE":
                continue
            self.count["false"] += 1
            self.by_kind["false " + finding["code"]] += 1
            self.notes.append(f"frame {frame}: false {finding['code']}: {finding['text']}")

    def compare_cleared(self, mistake, findings):
        last = mistake["over_frame"]
        for finding in findings:
            if self.followed.cleared.get(finding["id"], last + 1) > last:
                self.count["not cleared"] += 1
                self.notes.append(f"frame {last}: {finding['code']} not cleared though put right")

    def row(self):
        return row_of(self.count)

    def good(self):
        count = self.count
        return (count["final right"] == count["games"] and count["turns right"] == count["turns"]
                and not any(count[k] for k in ("late", "missed", "not cleared", "false")))


def row_of(count):
    """The counts of one game, or of several together, below HEAD."""
    final = f"{int(count['final right'])}/{count['games']}"
    return [f"{count['turns right']}/{count['turns']}", final,
            f"{count['special right']}/{count['special']}",
            f"{count['in time']}/{count['mistakes']}", str(count["late"]),
            str(count["missed"]), str(count["not cleared"]), str(count["false"]),
            str(count["questions"]), f"{count['taken for hands']}/{count['settled frames']}"]


HEAD = ["turns right", "final right", "special", "in time", "late", "missed", "not cleared",
        "false", "questions", "taken for hands"]
