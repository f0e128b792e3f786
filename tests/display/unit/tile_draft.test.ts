import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { TileEntrySchema, TileOrigin } from "../../../services/display/src/gen/tilewarden/v1/tiles_pb";
import {
  draftOf,
  freeId,
  hasPlot,
  isHomeMade,
  kindAt,
  known,
  MIDDLE,
  newDraft,
  withBorder,
  withFieldsByHand,
  withHalfEdge,
  withLine,
  withMark,
  withNewField,
  withPlot,
  withSpot,
  type Draft,
} from "../../../services/display/src/model/tile_draft";

const { CITY, ROAD, FIELD, RIVER, MONASTERY } = SegmentKind;
// What is not a field, in short: "ROAD 13 village".
const lines = ({ definition }: Draft) =>
  definition.segments.map(({ kind, sides, roadEnd }) => [SegmentKind[kind], sides.join(""), roadEnd].filter(Boolean).join(" "));
const empty = newDraft("H.1");
const road = withLine(empty, ROAD, 1, 3);

describe("a tile that somebody draws", () => {
  it("has lines from side to side, and from a side to the middle", () => {
    expect(lines(road)).toEqual(["ROAD 13"]);
    expect(lines(withLine(empty, CITY, 0, 0))).toEqual(["CITY 0"]);
    expect(lines(withLine(empty, ROAD, 2, MIDDLE))).toEqual(["ROAD 2 village"]);
    expect(lines(withLine(empty, RIVER, MIDDLE, MIDDLE))).toEqual([]);
    expect([0, 1, 2, 3].map((side) => kindAt(road, side))).toEqual([FIELD, ROAD, FIELD, ROAD]);
  });
  it("joins what is of one kind, and takes away what was there before", () => {
    const cities = withLine(withLine(empty, CITY, 0, 0), CITY, 1, 1);
    expect(lines(cities)).toEqual(["CITY 0", "CITY 1"]);
    expect(lines(withLine(cities, CITY, 0, 1))).toEqual(["CITY 01"]);
    expect(lines(withLine(withLine(cities, CITY, 0, 1), CITY, 2, 1))).toEqual(["CITY 012"]);
    expect(lines(withLine(withLine(empty, CITY, 0, 1), CITY, 1, 1))).toEqual(["CITY 0", "CITY 1"]);
    expect(lines(withLine(road, RIVER, 0, 3))).toEqual(["ROAD 1 village", "RIVER 03"]);
    expect(lines(withLine(road, FIELD, 1, 1))).toEqual(["ROAD 3 village"]);
    expect(lines(withLine(withLine(road, FIELD, 1, 1), FIELD, 3, 3))).toEqual([]);
  });
  it("keeps what lies on a city that grows", () => {
    const armed = withMark(withLine(empty, CITY, 0, 0), 0, { coatsOfArms: 1 });
    expect(withLine(armed, CITY, 0, 1).definition.segments[0]).toMatchObject({ sides: [0, 1], coatsOfArms: 1 });
  });
  it("ends a road at the monastery that stands there", () => {
    const monastery = withPlot(empty, MONASTERY, true);
    expect(hasPlot(monastery, MONASTERY)).toBe(true);
    expect(lines(withLine(monastery, ROAD, 2, 2))).toEqual(["MONASTERY", "ROAD 2 monastery"]);
    expect(hasPlot(withPlot(monastery, MONASTERY, false), MONASTERY)).toBe(false);
  });
  it("puts figures where somebody says, on the tile", () => {
    const placed = withSpot(road, 0, { x: 1.2, y: 0.33333 });
    expect(placed.definition.segments[0]?.spot).toMatchObject({ x: 1, y: 0.333 });
    expect(withSpot(placed, 0, undefined).definition.segments[0]?.spot).toBeUndefined();
    // Drawn anew, it would stand somewhere else.
    expect(withLine(placed, ROAD, 1, 0).definition.segments[0]?.spot).toBeUndefined();
  });
  it("has its fields by hand when somebody wants that, until something else is drawn", () => {
    const fields = withNewField(withNewField(withFieldsByHand(withLine(empty, CITY, 0, 0), true)));
    expect(fields.drawFields).toBe(false);
    const first = withHalfEdge(withHalfEdge(fields, 1, 3), 1, 2);
    expect(first.definition.segments[1]?.halfEdges).toEqual([2, 3]);
    const moved = withHalfEdge(first, 2, 2);
    expect(moved.definition.segments.map((s) => s.halfEdges)).toEqual([[], [3], [2]]);
    expect(withBorder(moved, 2, 0).definition.segments[2]?.borders).toEqual([0]);
    expect(withBorder(withBorder(moved, 2, 0), 2, 0).definition.segments[2]?.borders).toEqual([]);
    expect(withLine(moved, ROAD, 2, 2).drawFields).toBe(true);
  });
});

describe("a tile of a box", () => {
  const entry = create(TileEntrySchema, {
    definition: {
      id: "C.04",
      assumed: true,
      segments: [
        { kind: FIELD, halfEdges: [2, 3, 4, 5, 6, 7], borders: [2] },
        { kind: MONASTERY },
        { kind: CITY, sides: [0] },
      ],
    },
    drawing: { id: "C.04", count: 2 },
    origin: TileOrigin.BOX,
    plainFields: true,
  });
  it("is drawn on as it is, its fields last", () => {
    const draft = draftOf(entry);
    expect(draft).toMatchObject({ drawFields: true, copies: 2 });
    expect(draft.definition.segments.map((s) => s.kind)).toEqual([MONASTERY, CITY, FIELD]);
    expect(draft.definition.segments[2]?.borders).toEqual([1]);
    expect(isHomeMade(entry)).toBe(false);
  });
  it("is known once somebody drew it", () => {
    expect(known(draftOf(entry)).assumed).toBe(false);
  });
  it("leaves its name to it", () => {
    expect(freeId([entry])).toBe("H.1");
    expect(freeId(["H.1", "H.3"].map((id) => create(TileEntrySchema, { definition: { id } })))).toBe("H.2");
  });
});
