// The list of games: named anew, put away, found, deleted, by people who never saw a terminal.
import { expect, it } from "vitest";
import { visit } from "../support/browser";
import { createGame } from "../support/players";
import { useStage } from "../support/stage";

const stage = useStage();

it("a game is renamed, found, put away, brought back and deleted", async () => {
  const { gameId } = await createGame(stage.client, "friday", "Frday");
  await createGame(stage.client, "sunday", "Sunday");
  const v = await visit(stage.browser, `${stage.house.origin}/#/tables`);
  const entry = v.page.locator(`[data-game="${gameId}"]`);
  const menu = v.page.locator(`[data-menu="${gameId}"]`);
  await entry.waitFor();

  await menu.locator("summary").click();
  await menu.getByRole("textbox").fill("Friday with friends");
  await menu.getByRole("button", { name: "Rename" }).click();
  await entry.getByText("Friday with friends").waitFor();

  const find = v.page.getByRole("searchbox");
  await find.fill("sunday");
  await entry.waitFor({ state: "detached" });
  await find.fill("FRIENDS");
  await entry.waitFor();
  await find.fill("");

  const archive = v.page.getByRole("button", { name: "Archive", exact: true });
  if (!(await menu.getAttribute("open"))) await menu.evaluate((details) => details.setAttribute("open", ""));
  await menu.getByRole("button", { name: "Move to the archive" }).click();
  await entry.waitFor({ state: "detached" });
  await archive.click();
  await entry.waitFor();
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: "Bring back from the archive" }).click();
  await entry.waitFor({ state: "detached" });
  await archive.click();
  await entry.waitFor();

  // Deleting asks once more, and Escape is a no.
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: /^Delete/ }).click();
  await v.page.keyboard.press("Escape");
  await menu.getByRole("button", { name: /^Delete/ }).click();
  await menu.getByRole("button", { name: "Yes, delete" }).click();
  await entry.waitFor({ state: "detached" });
  await expect(stage.client.getGame({ gameId })).rejects.toThrow(/no game/);
  await expect(v.complaints).toEqual([]);
  await v.context.close();
});
