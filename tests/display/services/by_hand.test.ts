// What people do by hand, in Chromium against the real services: putting turns
// right, starting a game, keeping one; and what a spectator cannot do.
import { readFile } from "node:fs/promises";
import type { Download } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FigureKind, GamePhase } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { ExportFormat } from "../../../services/display/src/gen/tilewarden/v1/query_pb";
import { boardHolds, touchBoard, visit, type Visit } from "../support/browser";
import { Camera } from "../support/camera";
import { createGame, keptGame, playTurns, sightingClient } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();

const stateOf = async (gameId: string) => (await stage.client.getGame({ gameId })).state!;
const ready = (v: Visit) => v.page.waitForSelector('[data-preview="ready"]');
const click = (v: Visit, name: string) => v.page.getByRole("button", { name, exact: true }).click();
// Decides on what is shown, and waits until it is done: the panel goes back to
// the turns. (The board alone does not tell: it draws the change before.)
const doIt = async (v: Visit) => {
  await click(v, "Confirm");
  await v.page.waitForSelector(".turn-list");
};

describe("putting a game right", () => {
  let v: Visit;
  let gameId = "";

  beforeAll(async () => {
    gameId = (await createGame(stage.client, "by-hand", "Friday evening")).gameId;
    await playTurns(stage.client, gameId, 1, 24);
    v = await visit(stage.browser, `${stage.house.origin}/#/correct/${gameId}`, { calm: true });
    await boardHolds(v.page, 25);
  });
  afterAll(async () => {
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("shows what another player for a turn would change, and changes nothing before it is told to", async () => {
    const before = await stateOf(gameId);
    const last = before.tiles.find((tile) => tile.turn === 24)!;
    await touchBoard(v.page, last.cell!, { x: 0.5, y: 0.5 });
    await v.page.getByRole("heading", { name: "Turn 24" }).waitFor();
    const other = before.players.find((player) => player.colour !== last.colour)!;
    await v.page.click(`[data-colour="${other.colour}"]`);
    await ready(v);
    await v.page.getByText("Nothing has changed yet").waitFor();
    await v.page.locator(".difference", { hasText: "Turn 24 now belongs to" }).waitFor();
    expect((await stateOf(gameId)).eventNumber).toBe(before.eventNumber);
    await doIt(v);
    expect((await stateOf(gameId)).tiles.find((tile) => tile.turn === 24)!.colour).toBe(other.colour);
  });

  it("offers every tile that fits, and tells what becomes of later turns", async () => {
    await v.page.click('[data-turn="24"]');
    await v.page.waitForSelector("[data-choice]");
    const own = await v.page.getAttribute('[data-choice][aria-pressed="true"]', "data-choice");
    expect(own).toBe(`${keptGame.turns[23]![0]}/${keptGame.turns[23]![3]}`);
    const other = v.page.locator('[data-choice][aria-pressed="false"]').first();
    const choice = (await other.getAttribute("data-choice"))!;
    expect(await other.getAttribute("aria-label")).toMatch(/^north (City|Road|Field), east /);
    await other.click();
    await ready(v);
    await doIt(v);
    const tile = (await stateOf(gameId)).tiles.find((t) => t.turn === 24)!;
    expect(`${tile.tile}/${tile.rotation}`).toBe(choice);
  });

  it("tells why a change is impossible, and does not offer to do it", async () => {
    // Another tile at the start would leave later ones beside wrong edges.
    await v.page.click('[data-turn="1"]');
    await v.page.waitForSelector("[data-choice]");
    const others = await v.page.$$('[data-choice][aria-pressed="false"]');
    for (const other of others) {
      await other.click();
      await v.page.waitForSelector('[data-preview="ready"], [data-preview="refused"]');
      if (await v.page.$('[data-preview="refused"]')) break;
    }
    expect(await v.page.textContent(".refused")).toMatch(/Turn \d+ would no longer be legal/);
    expect(await v.page.getByRole("button", { name: "Confirm" }).isDisabled()).toBe(true);
    await click(v, "Cancel");
  });

  it("takes the last turn back and plays it again, showing both before", async () => {
    const before = await stateOf(gameId);
    await click(v, "Take back the last turn");
    await ready(v);
    expect((await stateOf(gameId)).turn).toBe(24);
    await doIt(v);
    await boardHolds(v.page, 24);
    await click(v, "Redo the turn");
    await ready(v);
    await doIt(v);
    await boardHolds(v.page, 25);
    const after = await stateOf(gameId);
    expect(after.tiles).toEqual(before.tiles);
    expect(after.players).toEqual(before.players);
    expect(await v.page.getByRole("button", { name: "Redo the turn" }).isDisabled()).toBe(true);
  });

  it("takes a turn that nobody saw: a free place touched, tile and figure chosen", async () => {
    const { toMove } = await stateOf(gameId);
    const [, x, y] = keptGame.turns[24]!;
    await touchBoard(v.page, { x, y }, { x: 0.5, y: 0.5 });
    await v.page.getByRole("heading", { name: "A turn by hand" }).waitFor();
    await v.page.waitForSelector("[data-choice]");
    const figures = v.page.locator('[data-figure-choice]:not([data-figure-choice="none"])');
    const deploys = (await figures.count()) > 0;
    if (deploys) await figures.first().click();
    await ready(v);
    await doIt(v);
    await boardHolds(v.page, 26);
    const tile = (await stateOf(gameId)).tiles.find((t) => t.turn === 25)!;
    expect([tile.cell?.x, tile.cell?.y, tile.colour]).toEqual([x, y, toMove]);
  });

  it("works by keyboard alone", async () => {
    await v.page.focus('.header nav [aria-current="page"]');
    const reach = async (selector: string) => {
      for (let i = 0; i < 50; ++i) {
        if (await v.page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
        await v.page.keyboard.press("Tab");
      }
      throw new Error(`${selector} was not reached`);
    };
    await reach('[data-turn="25"]');
    await v.page.keyboard.press("Enter");
    // On from where it was: the next key stays in the panel.
    await v.page.waitForFunction(() => document.activeElement?.id === "correct-title");
    await reach('[data-colour][aria-pressed="false"]');
    await v.page.keyboard.press("Space");
    await ready(v);
    await reach(".decision .wide-button:not(.quiet)");
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector(".turn-list");
    expect(await v.page.textContent("[data-announcer]")).toContain("Corrected");
  });

  it("gives and takes points with a reason, shown before, beside those of the turns", async () => {
    const before = await stateOf(gameId);
    const { colour, score, liveScore } = before.players[0]!;
    await click(v, "Change points …");
    await v.page.click(`.points-editor [data-colour="${colour}"]`);
    for (let i = 0; i < 3; ++i) await click(v, "One point more");
    expect(await v.page.getByRole("button", { name: "Confirm" }).isDisabled()).toBe(true);
    await v.page.getByLabel("Why").fill("<b>the road was longer</b>");
    await ready(v);
    await v.page.waitForSelector(`[data-score-change="${colour}:${score}:${score + 3}"]`);
    expect((await stateOf(gameId)).eventNumber).toBe(before.eventNumber);
    await doIt(v);
    const after = await stateOf(gameId);
    expect(after.players[0]).toMatchObject({ score: score + 3, liveScore: liveScore + 3 });
    expect(after.scoreItems.length).toBe(before.scoreItems.length + 1);
    expect(after.turn).toBe(before.turn);
    expect(await v.page.textContent("[data-announcer]")).toContain("the road was longer");

    // Taking a turn back leaves them, and the timeline tells them.
    await click(v, "Take back the last turn");
    await ready(v);
    await doIt(v);
    expect((await stateOf(gameId)).scoreItems.filter((item) => item.kind === "by-hand").length).toBe(1);
    await click(v, "Redo the turn");
    await ready(v);
    await doIt(v);
    await v.page.goto(`${stage.house.origin}/#/board/${gameId}`);
    await v.page.locator(".point", { hasText: "By hand: <b>the road was longer</b>" }).waitFor();
    await v.page.goto(`${stage.house.origin}/#/correct/${gameId}`);
    await v.page.waitForSelector(".turn-list");
  });

  it("ends the game after showing the final scores", async () => {
    const { players } = await stateOf(gameId);
    await click(v, "End the game …");
    const gains = players.filter((player) => player.liveScore !== player.score);
    for (const { colour, score, liveScore } of gains) {
      await v.page.waitForSelector(`[data-score-change="${colour}:${score}:${liveScore}"]`);
    }
    await click(v, "Confirm");
    await v.page.getByText("The game is over. What you change now is scored again and marked as corrected.").waitFor();
    expect((await stateOf(gameId)).players.map((p) => p.score)).toEqual(players.map((p) => p.liveScore));
    // What is decided goes no further.
    for (const name of ["Take back the last turn", "Redo the turn", "End the game …"]) {
      expect(await v.page.getByRole("button", { name, exact: true }).count()).toBe(0);
    }
    const [, x, y] = keptGame.turns[25]!;
    await touchBoard(v.page, { x, y }, { x: 0.5, y: 0.5 });
    expect(await v.page.getByRole("heading", { name: "A turn by hand" }).count()).toBe(0);
  });

  it("puts a figure right after the end: scored again, and marked", async () => {
    const before = await stateOf(gameId);
    expect(before.correctedAfterEnd).toBe(0);
    await v.page.goto(`${stage.house.origin}/#/board/${gameId}`);
    await v.page.getByRole("heading", { name: "Final scores" }).waitFor();
    expect(await v.page.getByText("Corrected after the end of the game.").count()).toBe(0);
    await v.page.getByRole("link", { name: "Fix a mistake" }).click();
    // A figure that stayed in a field or an open feature, and so scored at the end.
    const figure = before.figures[0]!;
    const turn = before.tiles.find(({ cell }) => cell?.x === figure.cell?.x && cell?.y === figure.cell?.y)!.turn;
    await v.page.click(`[data-turn="${turn}"]`);
    await v.page.click('[data-figure-choice="none"]');
    await ready(v);
    await doIt(v);
    const after = await stateOf(gameId);
    expect(after.phase).toBe(GamePhase.ENDED);
    expect(after.correctedAfterEnd).toBe(1);
    expect(after.figures.length).toBe(before.figures.length - 1);
    const points = (state: typeof before) => state.players.reduce((sum, { score }) => sum + score, 0);
    expect(points(after)).not.toBe(points(before));
    await v.page.goto(`${stage.house.origin}/#/board/${gameId}`);
    await v.page.getByText("Corrected after the end of the game.").waitFor();
  });
});

describe("putting right what a camera saw", () => {
  it("offers the likely readings first, then everything that fits", async () => {
    const { gameId } = await createGame(stage.client, "seen", "Seen");
    await playTurns(stage.client, gameId, 1, 6);
    const state = await stateOf(gameId);
    const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
    await camera.see(state);
    const v = await visit(stage.browser, `${stage.house.origin}/#/correct/${gameId}/6`, { calm: true });
    await v.page.waitForSelector("[data-choice]");
    const own = state.tiles.find((tile) => tile.turn === 6)!;
    const choices = () => v.page.$$eval("[data-choice]", (all) => all.map((c) => c.getAttribute("data-choice")));
    const likely = await choices();
    expect(likely[0]).toBe(`${own.tile}/${own.rotation}`);
    expect(await v.page.textContent("[data-choice] small")).toMatch(/^\d+%$/);
    await v.page.getByRole("button", { name: /^Show all \d+ that fit$/ }).click();
    expect((await choices()).length).toBeGreaterThan(likely.length);
    await v.page.getByRole("button", { name: "Only the likely ones" }).click();
    expect(await choices()).toEqual(likely);
    await v.context.close();
  });
});

describe("starting a game", () => {
  it("asks for box, options and players, and shows the board", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
    await v.page.getByRole("link", { name: "Start a game" }).click();
    await v.page.getByLabel("Name of the game").fill("<b>Club</b> evening");
    await v.page.getByLabel("Name of player 1").fill("Anna");
    // Each colour once: those that are taken are not offered.
    expect(await v.page.$$eval("[data-add]", (all) => all.map((option) => option.getAttribute("data-add")))).not.toContain("red");
    await v.page.click('[data-add="green"]');
    await click(v, "Move player 3 up");
    expect(await v.page.$$eval("[data-seat]", (all) => all.map((seat) => seat.getAttribute("data-seat")))).toEqual(["red", "green", "blue"]);
    await v.page.getByText("Change the rules").click();
    await v.page.getByLabel("Farmers: followers may lie in fields").uncheck();
    await v.page.getByLabel("The River", { exact: true }).check();
    await click(v, "Start");
    await v.page.waitForSelector(".player");
    await boardHolds(v.page, 1);
    expect(await v.page.textContent(".game-name")).toBe("<b>Club</b> evening");
    const gameId = decodeURIComponent(new URL(v.page.url()).hash.split("/")[2]!);
    const state = await stateOf(gameId);
    expect(state.tileSet).toBe("base.c1+river1.c1");
    expect(state.rules["farmers"]).toBe("false");
    expect(state.players.map((player) => player.colour)).toEqual(["red", "green", "blue"]);
    expect(await v.page.textContent(".player-name")).toBe("Anna");
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });
});

describe("boxes with large followers, builders and pigs", () => {
  it("begin before a camera, as others do", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/tables`, { calm: true });
    await v.page.getByRole("link", { name: "Start a game" }).click();
    await v.page.getByLabel("Inns & Cathedrals, first edition").check();
    await v.page.getByLabel("Traders & Builders, first edition").check();
    await click(v, "Start");
    await v.page.waitForSelector(".player");
    const { tileSet, byHand } = await stateOf(decodeURIComponent(new URL(v.page.url()).hash.split("/")[2]!));
    expect([tileSet, byHand]).toEqual(["base.c1+inns.c1+traders.c1", false]);
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });
  it("are played by hand, with their figures and goods", async () => {
    const { state } = await stage.client.createGame({
      requestId: "boxes",
      tileSet: "base.c1+inns.c1+traders.c1",
      players: [{ colour: "red" }, { colour: "blue" }],
      byHand: true,
      placeStartTile: true,
    });
    const { gameId } = state!;
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { calm: true });
    await v.page.waitForSelector('[data-by-hand="tile"]');
    const lay = async (tile: string, x: number, y: number, rotation: number, figure: string) => {
      const { turn } = await stateOf(gameId);
      await v.page.click(`button[data-tile="${tile}"]`);
      await v.page.waitForSelector('[data-by-hand="place"]');
      for (let touched = false; !touched; ) {
        await touchBoard(v.page, { x, y }, { x: 0.5, y: 0.5 });
        await v.page.waitForSelector('[data-by-hand="figure"]');
        touched = (await v.page.$(`[data-cell="${x},${y}"][data-rotation="${rotation}"]`)) !== null;
      }
      await v.page.click(figure);
      await v.page.click("[data-next]");
      await v.page.waitForSelector('[data-by-hand="tile"]');
      expect((await stateOf(gameId)).turn).toBe(turn + 1);
    };
    await lay("T.corner_grain", 0, -1, 1, '[data-figure-kind="LARGE_FOLLOWER"][data-figure-choice="0"]');
    expect((await stateOf(gameId)).figures[0]).toMatchObject({ kind: FigureKind.LARGE_FOLLOWER, colour: "red" });
    await v.page.waitForSelector('.player[data-player="red"] .figure-icon.away[data-kind="LARGE_FOLLOWER"]');
    await v.page.waitForSelector('[data-kind="LARGE_FOLLOWER"][data-figure="red@0,-1"]');
    await lay("B.U", 1, 0, 0, '[data-figure-kind="FOLLOWER"][data-figure-choice="0"]');
    await lay("B.E", 1, -1, 3, '[data-figure-choice="none"]');
    await v.page.waitForSelector('.player[data-player="red"] [data-goods="grain"][data-count="1"]');
    await lay("B.U", 2, 0, 0, '[data-figure-kind="BUILDER"][data-figure-choice="0"]');
    await lay("B.V", 0, 1, 0, '[data-figure-choice="none"]');
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });
});

describe("a spectator", () => {
  it("sees the game and can change nothing", async () => {
    const { gameId } = await createGame(stage.client, "watched", "Watched");
    await playTurns(stage.client, gameId, 1, 5);
    const v = await visit(stage.browser, `${stage.house.origin}/?spectator#/correct/${gameId}`);
    await boardHolds(v.page, 6);
    await v.page.getByText("Watching only").waitFor();
    expect(await v.page.$$(".correct-view")).toEqual([]);
    expect(await v.page.getByRole("link", { name: "Correct" }).count()).toBe(0);
    await touchBoard(v.page, { x: keptGame.turns[4]![1], y: keptGame.turns[4]![2] }, { x: 0.5, y: 0.4 });
    await v.page.waitForSelector(".feature-card");
    expect(await v.page.$$(".feature-correct")).toEqual([]);
    await v.page.goto(`${stage.house.origin}/?spectator#/tables`);
    await v.page.waitForSelector(".table");
    expect(await v.page.getByRole("link", { name: "Start a game" }).count()).toBe(0);
    await v.context.close();
  });
});

describe("keeping a game", () => {
  it("gives a picture, a page of its own and a table", async () => {
    const { gameId } = await createGame(stage.client, "kept", `<img src=x onerror="document.title='broken'">`);
    await playTurns(stage.client, gameId, 1, 24);
    const v = await visit(stage.browser, `${stage.house.origin}/#/timeline/${gameId}`);
    await v.page.getByText("Save the game").click();
    const keep = async (what: string): Promise<Download> => {
      const [download] = await Promise.all([v.page.waitForEvent("download"), v.page.click(`[data-export="${what}"]`)]);
      return download;
    };
    const png = await readFile(await (await keep("picture")).path());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    const colours = await v.page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set<number>();
      for (let i = 0; i < data.length; i += 400) if (data[i + 3] === 255) seen.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
      return { width: image.width, count: seen.size };
    }, png.toString("base64"));
    expect(colours.width).toBeGreaterThan(1500);
    // Drawn with its style: without, everything would be black.
    expect(colours.count).toBeGreaterThan(30);

    const page = await readFile(await (await keep("page")).path(), "utf8");
    const other = await v.context.newPage();
    await other.setContent(page);
    const state = await stateOf(gameId);
    expect(await other.title()).toBe(state.name);
    expect(await other.textContent("h1")).toBe(state.name);
    expect(await other.$$("img, script")).toEqual([]);
    expect(await other.$$eval(".board-picture .figure", (f) => f.length)).toBe(state.figures.length);
    expect(await other.$eval(".board-picture .field", (f) => getComputedStyle(f).fill)).toBe("rgb(143, 183, 90)");
    const total = await other.$$eval("table:not(.points) tr:last-child td", (cells) => cells.map((c) => Number(c.textContent)));
    expect(total).toEqual(state.players.map((player) => player.score));

    const csv = await readFile(await (await keep("csv")).path(), "utf8");
    expect(csv.trim().split("\r\n").length).toBe(1 + state.scoreItems.length);
    // As the command line writes it.
    expect(csv).toBe(new TextDecoder().decode((await stage.query.exportGame({ gameId, format: ExportFormat.SCORES_CSV })).content));

    // What the service writes for other programs.
    const notation = await readFile(await (await keep("notation")).path(), "utf8");
    expect(notation).toBe(new TextDecoder().decode((await stage.query.exportGame({ gameId, format: ExportFormat.NOTATION })).content));
    const jcz = await keep("jcz");
    expect(jcz.suggestedFilename()).toMatch(/\.jcz$/);
    expect(JSON.parse(await readFile(await jcz.path(), "utf8")).players.length).toBe(state.players.length);
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("says why a game cannot be kept in a form that lacks something it has", async () => {
    const { gameId } = await createGame(stage.client, "no-jcz", "Out of order");
    // Somebody twice in a row.
    for (const cell of [{ x: 1, y: 0 }, { x: 2, y: 0 }]) {
      const { choices } = await stage.query.listChoices({ gameId, cell, colour: "blue" });
      const { tile, rotation } = choices[0]!;
      await stage.client.playTurn({ requestId: `no-jcz-${cell.x}`, gameId, turn: { colour: "blue", tile, rotation, cell } });
    }
    const v = await visit(stage.browser, `${stage.house.origin}/#/timeline/${gameId}`);
    await v.page.getByText("Save the game").click();
    await v.page.click('[data-export="jcz"]');
    const why = await v.page.waitForSelector(".export .refused");
    expect(await why.textContent()).toMatch(/turn/i);
    await v.context.close();
  });
});
