import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { lying } from "../../../services/display/src/board/camera_picture";
import { NotReadWhy } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { BoardPictureSchema, GetCameraViewResponseSchema } from "../../../services/display/src/gen/tilewarden/v1/query_pb";
import { healthOf } from "../../../services/display/src/model/health";
import { englishTexts } from "../../../services/display/src/texts/texts";
import { agoWords } from "../../../services/display/src/views/words";

const camera = (more: MessageInitShape<typeof GetCameraViewResponseSchema> = {}) =>
  create(GetCameraViewResponseSchema, { connected: true, sightings: 9n, ageMs: 400n, settled: true, tiles: 20, onBoard: true, tilePx: 80, ...more });

describe("a camera's health", () => {
  it("is good while it tells of the whole board", () => {
    expect(healthOf(camera())).toEqual({ tone: "good", state: "good", advice: [] });
  });
  it("is nothing without a camera, and silence once it tells no more", () => {
    expect(healthOf(create(GetCameraViewResponseSchema)).state).toBe("none");
    expect(healthOf(camera({ connected: false })).state).toBe("silent");
    expect(healthOf(camera({ ageMs: 11_000n })).state).toBe("silent");
  });
  it("says what would make it better", () => {
    expect(healthOf(camera({ onBoard: false }))).toMatchObject({ state: "lost", advice: ["aim"] });
    expect(healthOf(camera({ tilePx: 40 }))).toMatchObject({ state: "unsure", advice: ["closer"] });
    expect(healthOf(camera({ unsureTiles: 4 }))).toMatchObject({ state: "unsure", advice: ["light"] });
    expect(healthOf(camera({ unsureTiles: 2 })).advice).toEqual([]);
    expect(healthOf(camera({ hiddenTiles: 1 }))).toMatchObject({ state: "unsure", advice: ["clear"] });
    expect(healthOf(camera({ hiddenTiles: 1, hand: true })).state).toBe("good");
  });
  it("says which end of the board it cannot see, once each", () => {
    const tiles = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 2, y: 0 }, { x: 2, y: 1 }];
    const notRead = [{ why: NotReadWhy.CUT_BY_BORDER, cell: { x: -1, y: 0 } }, { why: NotReadWhy.CUT_BY_BORDER, cell: { x: -1, y: 1 } },
      { why: NotReadWhy.CUT_BY_BORDER, cell: { x: 1, y: 2 } }, { why: NotReadWhy.UNREADABLE, cell: { x: 3, y: 0 } }, { why: NotReadWhy.OUTSIDE, cell: { x: 4, y: 1 } }];
    expect(healthOf(camera({ notRead }), tiles)).toMatchObject({ state: "unsure", advice: ["cut.left", "cut.bottom", "unreadable", "outside"] });
  });
  it("tells how long ago", () => {
    expect(agoWords(englishTexts, 300)).toBe("just now");
    expect(agoWords(englishTexts, 45_000)).toBe("45 seconds ago");
    expect(agoWords(englishTexts, 300_000)).toBe("5 minutes ago");
  });
});

describe("the camera's picture on the board", () => {
  // Where a point of the picture comes to lie, as SVG reads the transform.
  const at = (quarterTurns: number, share: readonly [number, number]) => {
    const lies = create(BoardPictureSchema, { quarterTurns, northWest: { x: -2, y: 1 }, columns: 4, rows: 3 });
    const { width, height, transform } = lying(lies);
    const [, x, y, angle] = /translate\((\S+) (\S+)\) rotate\((\S+)\)/.exec(transform)!.map(Number) as [number, number, number, number];
    const turn = (angle * Math.PI) / 180;
    const [u, w] = [share[0] * width, share[1] * height];
    return { x: Math.round(x + u * Math.cos(turn) - w * Math.sin(turn)), y: Math.round(y + u * Math.sin(turn) + w * Math.cos(turn)) };
  };
  it("covers its cells however it is turned, its first corner going round clockwise", () => {
    const [west, north, east, south] = [-200, 100, 200, 400];
    expect(at(0, [0, 0])).toEqual({ x: west, y: north });
    expect(at(1, [0, 0])).toEqual({ x: east, y: north });
    expect(at(2, [0, 0])).toEqual({ x: east, y: south });
    expect(at(3, [0, 0])).toEqual({ x: west, y: south });
    expect(at(0, [1, 1])).toEqual({ x: east, y: south });
    expect(at(1, [1, 1])).toEqual({ x: west, y: south });
    expect(at(2, [1, 1])).toEqual({ x: west, y: north });
    expect(at(3, [1, 1])).toEqual({ x: east, y: north });
  });
});
