// What a turn does besides a tile and a player's figure, entered and put right on the page: where
// the Ark enters and goes, where the Gingerbread Man goes, whom a tile was bought from.
import { afterEach, expect, it } from "vitest";
import { FigureKind, type GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { touchBoard, visit, type Visit } from "../support/browser";
import { useStage } from "../support/stage";

const stage = useStage();
let v: Visit;
afterEach(async () => {
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

const players = [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }];
const stateOf = async (gameId: string): Promise<GameState> => (await stage.client.getGame({ gameId })).state!;
const at = (state: GameState, kind: FigureKind) => {
  const { cell } = state.neutralFigures.find((figure) => figure.kind === kind)!;
  return `${cell!.x},${cell!.y}`;
};

async function begin(requestId: string, tileSet: string, rules: Record<string, string> = {}): Promise<string> {
  const { gameId } = (await stage.client.createGame({ requestId, tileSet, rules, players, byHand: true, placeStartTile: true })).state!;
  v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
  await v.page.waitForSelector('[data-by-hand="tile"]');
  return gameId;
}

// No `rotation`: the first in which it fits.
async function lay(tile: string, x: number, y: number, rotation?: number): Promise<void> {
  await v.page.click(`button[data-tile="${tile}"]`);
  await v.page.waitForSelector('[data-by-hand="place"]');
  for (let lies = false; !lies; ) {
    await touchBoard(v.page, { x, y }, { x: 0.5, y: 0.5 });
    await v.page.waitForSelector('[data-by-hand="figure"]');
    lies = rotation === undefined || (await v.page.$(`[data-cell="${x},${y}"][data-rotation="${rotation}"]`)) !== null;
  }
}

async function next(): Promise<void> {
  await v.page.click("[data-next]");
  await v.page.waitForSelector('[data-by-hand="tile"]');
}

it("the Ark enters where somebody says, goes its way step by step, and its way is put right later", async () => {
  const gameId = await begin("ark-by-hand", "ark");
  await lay("A.cfff.1", 0, -1, 2);
  await v.page.waitForSelector('[data-nobodys="ARK"][aria-pressed="true"]');
  await v.page.click('[data-nobodys="ARK"][data-goes-to="0,-1"]');
  await v.page.waitForSelector('.board .figure-ark[data-kind="ARK"]');
  await next();
  expect(at(await stateOf(gameId), FigureKind.ARK)).toBe("0,-1");

  await lay("A.frfr.1", 1, 0, 0);
  await v.page.click('[data-ark-step="2"]');
  await v.page.waitForSelector('[data-ark-way="1"]');
  expect(await v.page.$$eval("[data-ark-step]:not(:disabled)", (all) => all.map((e) => e.getAttribute("data-ark-step")))).toEqual(["0", "1"]);
  await v.page.click('[data-ark-step="1"]');
  await v.page.waitForSelector('[data-ark-way="2"]');
  await next();
  expect(at(await stateOf(gameId), FigureKind.ARK)).toBe("1,0");

  await v.page.goto(`${stage.house.origin}/#/correct/${gameId}/2`);
  await v.page.waitForSelector('[data-ark-way="2"]');
  await v.page.click("[data-ark-stays]");
  await v.page.click('[data-ark-step="2"]');
  await v.page.waitForSelector('[data-preview="ready"]');
  await v.page.getByRole("button", { name: "Confirm", exact: true }).click();
  await v.page.waitForSelector(".turn-list");
  expect(at(await stateOf(gameId), FigureKind.ARK)).toBe("0,0");
}, 60_000);

it("the Gingerbread Man goes to the city that somebody chooses", async () => {
  const gameId = await begin("man-by-hand", "winter+gingerbread");
  await lay("B.L", 1, 0);
  await next();
  await lay("G.5", 0, -1);
  const ways = v.page.locator('[data-nobodys="GINGERBREAD_MAN"]');
  await ways.first().waitFor();
  expect(await ways.count()).toBeGreaterThan(1);
  await v.page.click('[data-nobodys="GINGERBREAD_MAN"][data-goes-to="0,-1"]');
  await next();
  expect(at(await stateOf(gameId), FigureKind.GINGERBREAD_MAN)).toBe("0,-1");
  await v.page.click('button[data-tile="B.U"]');
  await v.page.click("[data-next-place]");
  await v.page.waitForSelector('[data-by-hand="figure"]');
  expect(await ways.count(), "a tile without his symbol").toBe(0);
}, 60_000);

it("a tile is bought: another player lays it, pays, and the order goes on after the seller", async () => {
  const gameId = await begin("bought", "base.c1", { tile_buying: "true" });
  // Blue has 4 points, and only one tile joins four caps.
  const turns = [["B.U", 1, 0, 0], ["B.E", 0, -1, 2, 0], ["B.U", 2, 0, 0], ["B.B", 0, 1, 0], ["B.E", 1, 1, 2],
    ["B.E", 0, 2, 1], ["B.B", 2, 1, 0], ["B.E", 2, 2, 3], ["B.B", 0, 3, 0], ["B.E", 1, 3, 0]] as const;
  for (const [i, [tile, x, y, rotation, segment]] of turns.entries()) {
    const { outcome } = await stage.client.playTurn({
      requestId: `bought-${i}`,
      gameId,
      turn: { tile, cell: { x, y }, rotation, ...(segment !== undefined && { deployment: { kind: FigureKind.FOLLOWER, segment } }) },
    });
    expect(outcome.case === "event" || outcome.value?.text, tile).toBe(true);
  }
  const before = await stateOf(gameId);
  expect(before.toMove).toBe("red");
  await v.page.waitForSelector('[data-cell="1,3"]');
  await lay("B.C", 1, 2, 0);
  await v.page.click('.by-hand fieldset [data-colour="blue"]');
  await v.page.click('[data-seller="red"]');
  for (let points = 1; points < 3; ++points) await v.page.click('[aria-label="One point more"]');
  await next();
  const after = await stateOf(gameId);
  const gained = (colour: string) =>
    after.players.find((p) => p.colour === colour)!.score - before.players.find((p) => p.colour === colour)!.score;
  expect([gained("red"), gained("blue")]).toEqual([3, -3]);
  expect(after.tiles.find(({ cell }) => cell!.x === 1 && cell!.y === 2)!.colour).toBe("blue");
  expect(after.toMove, "it was red's turn").toBe("blue");
}, 60_000);
