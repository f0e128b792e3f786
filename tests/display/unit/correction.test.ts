import { create, isFieldSet } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CellSchema, FigureKind, TurnSchema } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { ChoiceSchema } from "../../../services/display/src/gen/tilewarden/v1/query_pb";
import {
  arkSteps,
  differenceOf,
  distinct,
  isNothing,
  sameTurn,
  withArkPath,
  withChoice,
  withColour,
  withFigure,
} from "../../../services/display/src/model/correction";
import { viewOf } from "../../../services/display/src/model/view";
import { cell, crossroads, figure, player, startTile, state, tile } from "./make";

const follower = (segment: number) => ({ kind: FigureKind.FOLLOWER, segment });
const turn = create(TurnSchema, { colour: "red", tile: "B.D", cell: cell(1, 0), rotation: 1, deployment: follower(1) });

describe("a turn being put right", () => {
  it("keeps its figure where the other tile has the same place, and else loses it", () => {
    const kept = withChoice(turn, create(ChoiceSchema, { tile: "B.U", rotation: 2, deployments: [follower(0), follower(1)] }));
    expect([kept.tile, kept.rotation, kept.colour, kept.deployment?.segment]).toEqual(["B.U", 2, "red", 1]);
    const lost = withChoice(turn, create(ChoiceSchema, { tile: "B.U", deployments: [follower(0)] }));
    expect(lost.deployment).toBeUndefined();
    expect(lost.cell).toEqual(turn.cell);
  });
  it("has a figure or an abbot coming home, never both", () => {
    const recalled = withFigure(turn, undefined, turn.cell);
    expect([recalled.deployment, recalled.recall]).toEqual([undefined, turn.cell]);
    const deployed = withFigure(recalled, turn.deployment);
    expect([deployed.recall, deployed.deployment?.segment]).toEqual([undefined, 1]);
    expect(withFigure(turn, undefined).deployment).toBeUndefined();
  });
  it("is the same only when nothing of it changed", () => {
    expect(sameTurn(turn, withColour(turn, "red"))).toBe(true);
    expect(sameTurn(turn, withColour(turn, "blue"))).toBe(false);
    expect(sameTurn(turn, undefined)).toBe(false);
  });
});

// A turn with something in every field; the page shows and changes but a few of them.
const full = create(TurnSchema, {
  colour: "red",
  tile: "B.D",
  cell: cell(1, 0),
  rotation: 1,
  deployment: follower(1),
  recall: cell(2, 2),
  arkPath: [cell(0, 1), cell(0, 2)],
  arkLanding: cell(5, 6),
  gingerbread: [{ cell: cell(2, 3), segment: 1 }],
  setAside: true,
  table: { west: -3, north: -2, east: 4, south: 5 },
  purchase: { seller: "blue", points: 6 },
});

describe("what the page does not show of a turn", () => {
  const untouched = ["setAside", "table", "purchase", "cell"] as const;
  const kept = (changed: typeof full, more: readonly ("arkLanding" | "gingerbread")[] = []) => {
    for (const field of [...untouched, ...more]) expect(changed[field], field).toEqual(full[field]);
  };
  it("is there at all: a new field of the contract is to be thought of here", () => {
    for (const field of TurnSchema.fields) expect(isFieldSet(full, field), field.name).toBe(true);
  });
  it("stays when another tile, colour or figure is chosen", () => {
    kept(withChoice(full, create(ChoiceSchema, { tile: "B.U", rotation: 2 })));
    for (const changed of [withColour(full, "blue"), withFigure(full, full.deployment), withFigure(full, undefined), withArkPath(full, [])]) {
      kept(changed, ["arkLanding", "gingerbread"]);
    }
  });
  it("is all of it when what is there is chosen again", () => {
    const same = create(ChoiceSchema, { tile: full.tile, rotation: full.rotation, deployments: [follower(1)], recalls: [cell(2, 2)], gingerbreadWays: [{ places: full.gingerbread }] });
    const { arkLanding: _, ...entered } = full;
    const onBoard = create(TurnSchema, entered);
    expect(sameTurn(withChoice(onBoard, same), onBoard)).toBe(true);
    expect(sameTurn(withColour(full, full.colour), full)).toBe(true);
  });
  it("loses the Ark's way to a figure alone, for a turn has but one of them", () => {
    expect(withFigure(full, undefined).arkPath).toEqual(full.arkPath);
    expect(withColour(full, "blue").arkPath).toEqual(full.arkPath);
    expect(withFigure(full, full.deployment).arkPath).toEqual([]);
    expect(withFigure(full, undefined, full.recall).arkPath).toEqual([]);
  });
});

describe("what a turn must say of nobody's figures", () => {
  const way = (x: number) => ({ places: [{ cell: cell(x, 0), segment: 0 }] });
  const choice = create(ChoiceSchema, { tile: "B.D", rotation: 1, arkLandings: [cell(1, 0), cell(2, 0)], gingerbreadWays: [way(3), way(4)] });
  it("is the first that is allowed, until somebody chooses", () => {
    const said = withChoice(turn, choice);
    expect([said.arkLanding, said.gingerbread[0]?.cell?.x]).toMatchObject([cell(1, 0), 3]);
    const chosen = create(TurnSchema, { ...said, arkLanding: choice.arkLandings[1]!, gingerbread: choice.gingerbreadWays[1]!.places });
    expect(sameTurn(withChoice(chosen, choice), chosen)).toBe(true);
  });
  it("is gone with a tile that asks for nothing", () => {
    const plain = withChoice(withChoice(turn, choice), create(ChoiceSchema, { tile: "B.U" }));
    expect([plain.arkLanding, plain.gingerbread]).toEqual([undefined, []]);
  });
  it("leads the Ark over tiles that it has not been on, in place of a figure", () => {
    const laid = viewOf(state({ tiles: [tile(0, 0, 0), tile(1, 0, -1), tile(2, -1, 0)] })).tiles;
    expect(arkSteps(laid, cell(0, 0), turn), "north, its own tile, west").toEqual([0, 1, 3]);
    const gone = withArkPath(turn, [create(CellSchema, cell(1, 0))]);
    expect(gone.deployment).toBeUndefined();
    expect(arkSteps(laid, cell(0, 0), gone), "back to where it stood").toEqual([3]);
    expect(arkSteps(laid, cell(0, 0), withArkPath(gone, [create(CellSchema, cell(1, 0)), create(CellSchema, cell(0, 0))]))).toEqual([0, 3]);
  });
  it("leads the Ark over no tile that was laid after the turn", () => {
    const laid = viewOf(state({ tiles: [tile(0, 0, 0), tile(1, 1, 0), tile(2, -1, 0)] })).tiles;
    expect(arkSteps(laid, cell(0, 0), turn)).toEqual([1]);
  });
});

describe("what a change changes", () => {
  const before = viewOf(
    state({ players: [player("red", 4), player("blue", 7)], tiles: [tile(0, 0, 0, ""), tile(1, 1, 0)], figures: [figure("red", 1, 0)] }),
  );
  const after = (more: Parameters<typeof state>[0]) => differenceOf(before, viewOf(state(more)));

  it("tells points, tiles, figures and who is next", () => {
    const d = after({
      players: [player("red", 4), player("blue", 10)],
      tiles: [tile(0, 0, 0, ""), tile(1, 1, 0, "blue"), tile(2, 2, 0, "red")],
      figures: [figure("blue", 1, 0)],
      toMove: "blue",
    });
    expect(d.scores).toEqual([{ colour: "blue", from: 7, to: 10 }]);
    expect(d.tiles.map((t) => `${t.what} ${t.tile.turn}`)).toEqual(["owner 1", "laid 2"]);
    expect(d.figures.map((f) => `${f.what} ${f.figure.colour}`)).toEqual(["home red", "set blue"]);
    expect(d.toMove).toBe("blue");
  });
  it("tells a tile that is another one, turned or gone", () => {
    const base = { players: before.players.map((p) => ({ ...p })), figures: [figure("red", 1, 0)] };
    expect(after({ ...base, tiles: [tile(0, 0, 0, ""), { ...tile(1, 1, 0), rotation: 3 }] }).tiles[0]?.what).toBe("changed");
    expect(after({ ...base, tiles: [tile(0, 0, 0, ""), tile(1, 1, 0, "red", "B.V")] }).tiles[0]?.what).toBe("changed");
    expect(after({ ...base, tiles: [tile(0, 0, 0, "")] }).tiles[0]?.what).toBe("taken");
  });
  it("tells when there is nothing to tell", () => {
    expect(isNothing(differenceOf(before, before))).toBe(true);
    expect(isNothing(after({ players: [player("red", 5), player("blue", 7)], tiles: before.tiles.map((t) => ({ ...t })) }))).toBe(false);
  });
});

describe("choices of a tile", () => {
  const types = new Map([["B.X", crossroads()], ["B.D", startTile()]]);
  const choice = (tile: string, rotation: number) => create(ChoiceSchema, { tile, rotation });
  const shown = (taken: string, at: number) =>
    distinct(
      [choice("B.X", 0), choice("B.X", 1), choice("B.X", 2), choice("B.D", 0), choice("B.D", 2)],
      create(TurnSchema, { tile: taken, rotation: at }),
      types,
    ).map((c) => `${c.tile}/${c.rotation}`);

  it("show turns that look the same once: the one that is taken", () => {
    expect(shown("B.X", 2)).toEqual(["B.X/2", "B.D/0", "B.D/2"]);
    expect(shown("B.D", 2)).toEqual(["B.X/0", "B.D/0", "B.D/2"]);
  });
});
