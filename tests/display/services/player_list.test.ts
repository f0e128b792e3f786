// The people who play: their figures, a file of all that is kept of one, and how one goes for good.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { visit, type Visit } from "../support/browser";
import { createGame, playTurns } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();

const seats = (red: string, blue: string) => [
  { colour: "red", name: red },
  { colour: "blue", name: blue },
];

async function play(id: string, name: string, red: string, blue: string, ends = true): Promise<string> {
  const { gameId } = await createGame(stage.client, id, name, seats(red, blue));
  await playTurns(stage.client, gameId, 1, 24);
  if (ends) await stage.client.endGame({ requestId: `${id}-end`, gameId });
  return gameId;
}

const namesIn = (v: Visit) => v.page.locator(".person-name b").allTextContents();

it("shows how everybody fares, from the tables, and orders them", async () => {
  const first = await play("a", "Friday", "Anna", "Ben");
  await play("b", "Sunday", "Anna", "Cleo");
  await play("c", "Tonight", "Dora", "Ben", false);
  const scores = (await stage.client.getGame({ gameId: first })).state!.players.map(({ score }) => score);
  const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
  await v.page.getByRole("link", { name: "Players" }).click();
  const anna = v.page.locator('[data-player="Anna"]');
  await anna.waitFor();
  expect((await namesIn(v)).sort()).toEqual(["Anna", "Ben", "Cleo", "Dora"]);
  const won = scores[0]! >= scores[1]! ? 2 : 0;
  expect(await anna.locator(".person-record").textContent()).toBe(`won ${won} of 2 games`);
  expect(await anna.locator(".person-facts b").first().textContent()).toBe(scores[0]!.toFixed(1));
  expect(await v.page.locator('[data-player="Dora"] .person-record').textContent()).toBe("first game still going");
  await v.page.getByRole("button", { name: "Name" }).click();
  expect(await namesIn(v)).toEqual(["Anna", "Ben", "Cleo", "Dora"]);
  await v.page.getByRole("button", { name: "Games" }).click();
  expect((await namesIn(v))[0]).toBe("Anna");

  // Each of the games is a touch away.
  await anna.locator("summary").click();
  await anna.getByRole("link", { name: /Friday/ }).click();
  await v.page.waitForURL(new RegExp(`#/board/${first}`));
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("hands over a file of all that is kept of somebody", async () => {
  const v = await visit(stage.browser, `${stage.house.origin}/#/players`);
  const anna = v.page.locator('[data-player="Anna"]');
  await anna.locator("summary").click();
  const download = v.page.waitForEvent("download");
  await anna.getByRole("button", { name: "Save everything about Anna as a file" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("Anna.json");
  const kept = JSON.parse(await readFile((await file.path())!, "utf8")) as { figures: { games: number }; games: { gameName: string }[] };
  expect(kept.figures.games).toBe(2);
  expect(kept.games.map(({ gameName }) => gameName)).toEqual(["Sunday", "Friday"]);
  await v.context.close();
});

it("deletes somebody for good, and asks before", async () => {
  const v = await visit(stage.browser, `${stage.house.origin}/#/players`);
  // This device remembers names for the next game, too.
  await v.page.evaluate(() => localStorage.setItem("tilewarden.names", JSON.stringify({ red: "Anna", blue: "Ben" })));
  const anna = v.page.locator('[data-player="Anna"]');
  await anna.locator("summary").click();
  const ask = anna.getByRole("button", { name: "Delete player: Anna" });
  await ask.click();
  await v.page.keyboard.press("Escape");
  await ask.click();
  await anna.getByRole("button", { name: "Yes, delete" }).click();
  await v.page.getByText("Anna has been taken out of 2 games.").waitFor();
  await anna.waitFor({ state: "detached" });
  expect((await namesIn(v)).sort()).toEqual(["Ben", "Cleo", "Dora"]);
  expect(await v.page.evaluate(() => localStorage.getItem("tilewarden.names"))).toBe('{"blue":"Ben"}');
  const { games } = await stage.client.listGames({});
  expect(games).toHaveLength(3);
  expect(JSON.stringify(games, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain("Anna");
  expect(v.complaints).toEqual([]);
  await v.context.close();
});

it("lets those who only watch delete nobody", async () => {
  const v = await visit(stage.browser, `${stage.house.origin}/?spectator#/players`);
  const ben = v.page.locator('[data-player="Ben"]');
  await ben.locator("summary").click();
  await ben.getByRole("button", { name: /^Save everything/ }).waitFor();
  expect(await ben.getByRole("button", { name: /^Delete/ }).count()).toBe(0);
  await v.context.close();
});
