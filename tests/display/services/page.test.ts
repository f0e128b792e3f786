// The built page in Chromium, against the real engine service and gateway.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finalItems } from "../../../services/display/src/model/history";
import { viewOf } from "../../../services/display/src/model/view";
import { atRest, boardHolds, touchBoard, visit, type Visit } from "../support/browser";
import { Camera, misfit } from "../support/camera";
import { createGame, engineClient, keptGame, playTurns, sightingClient } from "../support/players";
import { firstVisit } from "../support/page_size";
import { useStage } from "../support/stage";

const stage = useStage();

const scores = (v: Visit) =>
  v.page.$$eval(".player", (cards) => cards.map((c) => [c.getAttribute("data-player"), Number(c.querySelector("[data-score]")?.textContent)]));

describe("the page at the table", () => {
  let v: Visit;
  let gameId = "";

  beforeAll(async () => {
    v = await visit(stage.browser, `${stage.house.origin}/`);
  });
  afterAll(async () => {
    await v.context.close();
  });

  it("waits while there is no game, and shows the first one by itself", async () => {
    await v.page.getByText("No game yet").waitFor();
    gameId = (await createGame(stage.client, "first", "Friday evening")).gameId;
    await boardHolds(v.page, 1);
    expect(await v.page.textContent(".game-name")).toBe("Friday evening");
  });

  it("draws every tile as it is laid, with scores as the service counts them", async () => {
    await playTurns(stage.client, gameId, 1, 24);
    await boardHolds(v.page, 25);
    const { state } = await stage.client.getGame({ gameId });
    await v.page.waitForFunction((turn) => document.querySelector(".facts")?.textContent?.includes(`Turn ${turn}`), 24);
    expect(await scores(v)).toEqual(state!.players.map((p) => [p.colour, p.score]));
    expect(await v.page.$$eval("[data-figure]", (f) => f.length)).toBe(state!.figures.length);
    expect(await v.page.$$eval(".point", (p) => p.length)).toBe(state!.scoreItems.filter((i) => i.points !== 0).length);
    const last = keptGame.turns[23]!;
    expect(await v.page.getAttribute("[data-last]", "data-last")).toBe(`${last[1]},${last[2]}`);
    expect(await v.page.getAttribute("[data-tiles-left]", "data-tiles-left")).toBe(String(71 - 24));
    expect(await v.page.getAttribute(".player.to-move", "data-player")).toBe(state!.toMove);
    expect(await v.page.textContent("[data-announcer]")).toContain("Turn 24");
  });

  it("lights the cells of a score item, by keyboard too", async () => {
    const point = v.page.locator(".point").first();
    await point.focus();
    await v.page.keyboard.press("Enter");
    const { state } = await stage.client.getGame({ gameId });
    const newest = state!.scoreItems.filter((i) => i.points !== 0).at(-1)!;
    const lit = await v.page.getAttribute("[data-lit]", "data-lit");
    expect(lit?.split(" ").sort()).toEqual(newest.cells.map((c) => `${c.x},${c.y}`).sort());
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector("[data-lit]", { state: "detached" });
  });

  it("tells about the feature under a finger: who stands in it and what it is worth now", async () => {
    const { state } = await stage.client.getGame({ gameId });
    const item = state!.liveItems.find((i) => i.kind.startsWith("city") && i.points > 0)!;
    const stands = state!.figures.find((f) => f.colour === item.colour && item.cells.some((c) => c.x === f.cell!.x && c.y === f.cell!.y))!;
    await atRest(v.page);
    await touchBoard(v.page, stands.cell!, stands.spot!);
    await v.page.locator(".feature-card", { hasText: `${item.points} point` }).waitFor();
    const lit = await v.page.getAttribute("[data-lit]", "data-lit");
    expect(lit?.split(" ").sort()).toEqual(item.cells.map((c) => `${c.x},${c.y}`).sort());
    await v.page.click(".feature-card button");
    await v.page.waitForSelector("[data-lit]", { state: "detached" });
  });

  it("tells about a feature by keyboard alone: arrows, Enter, Escape", async () => {
    await v.page.locator(".board").focus();
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector(".feature-card");
    const first = await v.page.getAttribute("[data-lit]", "data-lit");
    await v.page.keyboard.press("Escape");
    await v.page.waitForSelector(".feature-card", { state: "detached" });
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"]) await v.page.keyboard.press(key);
    await v.page.waitForSelector(".feature-card");
    expect(await v.page.getAttribute("[data-lit]", "data-lit")).not.toBe(first);
    await v.page.keyboard.press("Escape");
    await v.page.keyboard.press("0");
    await v.page.waitForTimeout(600);
  });

  it("closes a feature by Escape at the very moment that it appears", async () => {
    await v.page.evaluate(() => {
      const press = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      const seen = new MutationObserver(() => {
        if (!document.querySelector(".feature-card")) return;
        seen.disconnect();
        document.body.dataset.cardSeen = "";
        press();
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await v.page.locator(".board").focus();
    await v.page.keyboard.press("Enter");
    await v.page.waitForSelector("[data-card-seen]");
    await v.page.waitForSelector(".feature-card", { state: "detached", timeout: 2000 });
  });

  it("says what is wrong with an illegal tile, draws it where it lies, and clears when it is gone", async () => {
    const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
    const state = (await stage.client.getGame({ gameId })).state!;
    const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
    await camera.see(state);
    const wrong = misfit(state, tiles);
    await camera.see(state, wrong);
    await v.page.waitForSelector('.banner[data-finding="edge-mismatch"]');
    expect(await v.page.getAttribute("[data-finding-tile]", "data-finding-tile")).toBe(`${wrong.cell.x},${wrong.cell.y}`);
    expect(await v.page.getAttribute(".banner", "role")).toBe("alert");
    await boardHolds(v.page, 25);
    await camera.see(state);
    await v.page.waitForSelector(".banner-solved");
    await v.page.waitForSelector("[data-finding-tile]", { state: "detached" });
    await v.page.waitForSelector(".banner-none", { state: "attached" });
  });

  it("marks a lost connection, and catches up when the gateway is back", async () => {
    await stage.house.stopGateway();
    await v.page.waitForSelector(".link-stale");
    await boardHolds(v.page, 25);
    await playTurns(engineClient(stage.house.engineAddress), gameId, 25, 27);
    await stage.house.restartGateway();
    await boardHolds(v.page, 28);
    await v.page.waitForSelector(".link-live");
  });

  it("marks a network that drops at once, and catches up when it is back", async () => {
    await v.context.setOffline(true);
    await v.page.waitForSelector(".link-stale");
    await v.context.setOffline(false);
    await v.page.waitForSelector(".link-live");
    await boardHolds(v.page, 28);
  });

  it("catches up after the device has slept", async () => {
    const device = await v.context.newCDPSession(v.page);
    await device.send("Page.setWebLifecycleState", { state: "frozen" });
    await playTurns(engineClient(stage.house.engineAddress), gameId, 28, 29);
    await device.send("Page.setWebLifecycleState", { state: "active" });
    await boardHolds(v.page, 30);
    await v.page.waitForSelector(".link-live");
    await device.detach();
  });

  it("goes on after the engine service was killed", async () => {
    await stage.house.restartEngine();
    await playTurns(engineClient(stage.house.engineAddress), gameId, 30, 30);
    await boardHolds(v.page, 31);
    await v.page.waitForSelector(".link-live");
  });

  it("zooms, pans and fits", async () => {
    const world = () => v.page.$eval(".world", (w) => getComputedStyle(w).transform);
    await v.page.waitForTimeout(600);
    const fitted = await world();
    await v.page.mouse.move(400, 400);
    await v.page.mouse.wheel(0, -400);
    expect(await world()).not.toBe(fitted);
    await v.page.mouse.down();
    await v.page.mouse.move(500, 460, { steps: 4 });
    await v.page.mouse.up();
    await v.page.locator(".board").focus();
    await v.page.keyboard.press("0");
    await v.page.waitForTimeout(700);
    expect(await world()).toBe(fitted);
  });

  it("ends with the winner and the final items", async () => {
    await stage.client.endGame({ requestId: "end", gameId });
    await v.page.getByText("Game over").waitFor();
    const { state } = await stage.client.getGame({ gameId });
    expect(await scores(v)).toEqual(state!.players.map((p) => [p.colour, p.score]));
    expect(await v.page.$$eval(".player.wins", (w) => w.length)).toBeGreaterThan(0);
    // The final scoring as a small show: item by item, by itself or by hand.
    const finals = finalItems(viewOf(state!));
    await v.page.getByRole("button", { name: "Step by step" }).click();
    await v.page.getByRole("button", { name: "Pause" }).click();
    for (const item of finals) {
      await v.page.locator(".final-item", { hasText: `+${item.points}` }).waitFor();
      await v.page.waitForSelector(".glow");
      await v.page.getByRole("button", { name: "Next" }).click();
    }
    await v.page.getByRole("button", { name: "Step by step" }).waitFor();
    expect(await scores(v)).toEqual(state!.players.map((p) => [p.colour, p.score]));
  });

  it("asked nobody else for anything and broke no rule of its content policy", () => {
    expect(v.strangers).toEqual([]);
    // The killed services are the only thing it may complain about.
    expect(v.complaints.filter((c) => !/ERR_(CONNECTION|EMPTY|INCOMPLETE|INTERNET)|Failed to load resource/.test(c))).toEqual([]);
  });
});

describe("the page", () => {
  it("shows hostile names as text", async () => {
    const name = `<img src=x onerror="document.title='broken'"> {turn}`;
    const players = [{ colour: "red", name }, { colour: "blue", name: "\u202Eevil" }];
    const { gameId } = await createGame(stage.client, "hostile", name, players);
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores/${gameId}`);
    await v.page.waitForSelector(".player");
    expect(await v.page.textContent(".game-name")).toBe(name);
    expect(await v.page.$$("img")).toEqual([]);
    expect(await v.page.title()).toBe("Tilewarden");
    expect(v.complaints).toEqual([]);
    await v.context.close();
  });

  it("upright gives the board two thirds, the players the rest, and wastes nothing", async () => {
    const { gameId } = await createGame(stage.client, "upright", "Upright");
    await playTurns(stage.client, gameId, 1, 12);
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { size: "upright", calm: true });
    await boardHolds(v.page, 13);
    const { width, height } = v.page.viewportSize()!;
    const boxOf = async (selector: string) => (await v.page.locator(selector).boundingBox())!;
    const [header, board, side] = [await boxOf(".header"), await boxOf(".board"), await boxOf(".side")];
    expect(board.width).toBeGreaterThan(0.95 * width);
    expect(board.height).toBeGreaterThan(0.5 * height);
    expect(header.height + board.height + side.height).toBeGreaterThan(0.92 * height);
    await v.context.close();
  });

  it("draws the curves of equal scores beside each other, with every mark in sight", async () => {
    const { gameId } = await createGame(stage.client, "equal", "Equal");
    const v = await visit(stage.browser, `${stage.house.origin}/#/timeline/${gameId}`, { calm: true });
    await v.page.waitForSelector(".chart [data-end]");
    const marks = await v.page.locator(".chart [data-end] circle").evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map(({ y, height }) => ({ y, height })));
    expect(marks.length).toBe(keptGame.players.length);
    marks.sort((a, b) => a.y - b.y);
    for (let i = 1; i < marks.length; ++i) expect(marks[i]!.y - marks[i - 1]!.y).toBeGreaterThan(0.8 * marks[i]!.height);
    await v.context.close();
  });

  it("tells other devices where it is", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
    await v.page.getByText("Open this page on another device").click();
    expect(await v.page.textContent(".join-address")).toBe(`${stage.house.origin}/`);
    await v.page.getByRole("img", { name: `QR code of ${stage.house.origin}/` }).waitFor();
    await v.context.close();
  });

  it("speaks German to those who do", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores`, { language: "de-DE" });
    await v.page.getByText("Wertungsblatt").waitFor();
    expect(await v.page.getAttribute("html", "lang")).toBe("de");
    await v.context.close();
  });

  it("opens from the device's own shelf while the gateway is away, and goes on when it is back", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores`);
    await v.page.waitForFunction(() => navigator.serviceWorker.ready.then((r) => r.active?.state === "activated"));
    await stage.house.stopGateway();
    await v.page.reload();
    await v.page.getByText("Connecting to the table").waitFor();
    await stage.house.restartGateway();
    await v.page.waitForSelector(".player");
    await v.context.close();
  });

  it("can be installed", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
    const session = await v.context.newCDPSession(v.page);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // Pages of a test are private ones, which alone forbids it.
    expect(installabilityErrors.map((e) => e.errorId).filter((id) => id !== "in-incognito")).toEqual([]);
    await v.context.close();
  });

  it("keeps what a viewer chose: large type, contrast, calm, safe colours", async () => {
    const v = await visit(stage.browser, `${stage.house.origin}/#/scores`);
    await v.page.waitForSelector(".player");
    const look = () =>
      v.page.evaluate(() => {
        const root = document.documentElement;
        const mark = document.querySelector(".player-red .mark-plate") ?? document.querySelector(".mark-plate");
        return {
          size: parseFloat(getComputedStyle(root).fontSize),
          soft: getComputedStyle(root).getPropertyValue("--ink-soft").trim(),
          fill: mark ? getComputedStyle(mark).fill : "",
        };
      });
    const before = await look();
    await v.page.click(".header nav button");
    for (const name of ["Large text", "High contrast", "Less motion", "Colour-blind friendly colours"]) await v.page.getByLabel(name).check();
    await v.page.reload();
    await v.page.waitForSelector(".player");
    const after = await look();
    expect(after.size).toBeCloseTo(before.size * 1.2);
    expect(after.soft).not.toBe(before.soft);
    expect(after.fill).not.toBe(before.fill);
    expect(await v.page.getAttribute("html", "data-motion")).toBe("calm");
    await v.context.close();
  });

  it("is at most 150 KiB for the first visit, compressed", async () => {
    expect((await firstVisit()).bytes).toBeLessThan(150 * 1024);
  });
});
