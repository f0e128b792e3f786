// A tablet in the network: the page asks for a code, keeps what it gets for it,
// and goes on; and the page on the engine's own machine shows such codes.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Role } from "../../../services/display/src/gen/tilewarden/v1/access_pb";
import { barriers } from "../support/axe";
import { fromTheNetwork, openBrowser } from "../support/browser";
import { boxBelowACamera, takeALook } from "../support/enrol";
import { createGame, engineClient, pairingCode } from "../support/players";
import { House } from "../support/services";

// A name that is not this machine's own, for the gateway, although it is reached there.
const NAME = "tablet.test";

let house: House;
let browser: Browser;
let port: string;

beforeAll(async () => {
  house = await House.open("0.0.0.0:0");
  port = new URL(house.origin).port;
  browser = await openBrowser(fromTheNetwork(NAME));
});
afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const newCode = (role: Role): Promise<string> => pairingCode(house.engineAddress, role);

async function open(host: string, hash: string, language = "en"): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ locale: language, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`https://${host}:${port}/${hash}`);
  return { context, page };
}

it("asks for a code, by keyboard, and stays in", async () => {
  const { context, page } = await open(NAME, "#/board");
  const field = page.getByLabel("Code");
  await field.waitFor();
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await barriers(page)).toEqual([]);

  await page.keyboard.type("0000-0000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").innerText()).toContain("wrong, has been used or has expired");

  await field.fill((await newCode(Role.REFEREE)).toLowerCase());
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No game yet" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "No game yet" }).waitFor();
  await context.close();
});

it("speaks German there, too", async () => {
  const { context, page } = await open(NAME, "#/board", "de");
  await page.getByRole("heading", { name: "Dieses Gerät verbinden" }).waitFor();
  await page.getByRole("button", { name: "Verbinden" }).waitFor();
  await context.close();
});

it("takes a code from the address, once, and shows a display that it may not change anything", async () => {
  const code = (await newCode(Role.DISPLAY)).replace("-", "");
  const { context, page } = await open(NAME, `#/pair/${code}`);
  await page.waitForURL(/#\/board$/);
  await page.locator(".spectator").waitFor();
  await context.close();
  const again = await open(NAME, `#/pair/${code}`);
  await again.page.getByRole("alert").waitFor();
  await again.context.close();
});

it("shows codes on the engine's own machine, where none is needed", async () => {
  const { context, page } = await open("127.0.0.1", "#/tables");
  await page.locator(".join summary").click();
  await page.getByLabel("It may").selectOption({ label: "watch and correct" });
  await page.getByRole("button", { name: "Show a code" }).click();
  const code = (await page.locator(".let-in-code").innerText()).trim();
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(await page.locator(".fingerprint").innerText()).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  expect(await barriers(page)).toEqual([]);
  await context.close();

  const tablet = await open(NAME, "#/board");
  await tablet.page.getByLabel("Code").fill(code);
  await tablet.page.keyboard.press("Enter");
  await tablet.page.getByRole("heading", { name: "No game yet" }).waitFor();
  await tablet.context.close();
});

it("lists who is in, on the engine's own machine, and shuts a device out, by keyboard", async () => {
  const tablet = await open(NAME, "#/board");
  await tablet.page.getByLabel("Code").fill(await newCode(Role.DISPLAY));
  await tablet.page.getByLabel("Name of this device").fill("Kitchen <b>tablet</b>");
  await tablet.page.keyboard.press("Enter");
  await tablet.page.getByRole("heading", { name: "No game yet" }).waitFor();

  const { context, page } = await open("127.0.0.1", "#/tables");
  await page.locator(".join summary").click();
  const device = page.locator("[data-device]", { hasText: "Kitchen <b>tablet</b>" });
  await device.waitFor();
  expect(await device.innerText()).toContain("watches · since");
  await device.getByRole("button", { name: "Shut out: Kitchen <b>tablet</b>" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Yes, shut out" }).waitFor();
  expect(await barriers(page)).toEqual([]);
  // Whoever thinks better of it goes on from where they were.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await device.getByText("shut out", { exact: true }).waitFor();
  // It is asked for a code again, although it watched.
  await tablet.page.getByRole("heading", { name: "Connect this device" }).waitFor();
  await tablet.context.close();
  await context.close();
});

it("lists nobody to those who may not shut out", async () => {
  const tablet = await open(NAME, "#/board");
  await tablet.page.getByLabel("Code").fill(await newCode(Role.REFEREE));
  await tablet.page.keyboard.press("Enter");
  await tablet.page.getByRole("heading", { name: "No game yet" }).waitFor();
  await tablet.page.goto(`https://${NAME}:${port}/#/tables`);
  await tablet.page.locator(".join summary").click();
  await tablet.page.locator(".join-address").waitFor();
  expect(await tablet.page.locator(".devices").count()).toBe(0);
  await tablet.context.close();
});

it("tells a referee at the tile editor's opening that only the owner's machine saves", async () => {
  const { context, page } = await open(NAME, `#/pair/${(await newCode(Role.REFEREE)).replace("-", "")}`);
  await page.waitForURL(/#\/board$/);
  await page.goto(`https://${NAME}:${port}/#/tiles`);
  await page.locator("[data-tile]").first().click();
  await page.getByRole("note").getByText("Only the machine with the camera can save a tile.").waitFor();
  await page.locator('[data-verdict="good"]').waitFor();
  expect(await page.getByRole("button", { name: "Save for new games" }).isDisabled()).toBe(true);
  expect(await barriers(page)).toEqual([]);
  await context.close();
});

it("lets a paired referee enrol a box at the camera, and a display not", async () => {
  const camera = await house.cameraAt(await boxBelowACamera(house.folder));
  const pair = async (role: Role) => {
    const visit = await open(NAME, `#/pair/${(await newCode(role)).replace("-", "")}`);
    await visit.page.waitForURL(/#\/board$/);
    await visit.page.goto(`https://${NAME}:${port}/#/enrol`);
    return visit;
  };
  const referee = await pair(Role.REFEREE);
  await takeALook(referee.page);
  await referee.context.close();
  const display = await pair(Role.DISPLAY);
  await display.page.locator(".spectator").waitFor();
  expect(await display.page.locator(".enrol-view").count()).toBe(0);
  await display.context.close();
  await camera.stop();
});

it("leaves: the code is used up, its token opens nothing any more, and nothing stays on the device", async () => {
  const { context, page } = await open(NAME, `#/pair/${(await newCode(Role.REFEREE)).replace("-", "")}`);
  await page.waitForURL(/#\/board$/);
  await page.goto(`https://${NAME}:${port}/#/hall`);
  const token = await page.evaluate(() => localStorage.getItem("tilewarden.token"));
  expect(token).toBeTruthy();
  await page.evaluate(() => localStorage.setItem("tilewarden.hidden", '["a"]'));
  await page.getByRole("button", { name: "Disconnect this device" }).click();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Disconnect this device" }).click();
  await page.getByRole("button", { name: "Yes, disconnect" }).click();
  await page.getByRole("heading", { name: "Connect this device" }).waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== "tilewarden.settings"))).toEqual([]);
  // Whoever kept the token is not let in with it.
  await page.evaluate((kept) => localStorage.setItem("tilewarden.token", kept!), token);
  await page.reload();
  await page.getByRole("heading", { name: "Connect this device" }).waitFor();
  await context.close();
});

it("lets the players at a tablet that only watches call the referee, who is named, and not say that it is done", async () => {
  const engine = engineClient(house.engineAddress);
  const { gameId } = await createGame(engine, "calls", "Table 1");
  await createGame(engine, "another", "Table 2");
  const tablet = await open(NAME, `#/pair/${(await newCode(Role.DISPLAY)).replace("-", "")}`);
  await tablet.page.waitForURL(/#\/board$/);
  await tablet.page.goto(`https://${NAME}:${port}/#/board/${gameId}`);
  await tablet.page.getByRole("button", { name: "Call the referee" }).click();
  await tablet.page.getByText("The referee has been called").waitFor();

  const phone = await open(NAME, "#/hall");
  await phone.page.getByLabel("Code").fill(await newCode(Role.REFEREE));
  await phone.page.getByLabel("Name of this device").fill("Anna");
  await phone.page.keyboard.press("Enter");
  await phone.page.locator(`[data-wait="${gameId}"]`).getByRole("button", { name: "On my way" }).click();
  await tablet.page.getByText("Anna is on the way").waitFor();
  expect(await tablet.page.getByRole("button", { name: "Done" }).count()).toBe(0);
  await phone.page.locator(`[data-wait="${gameId}"]`).getByRole("button", { name: "Done" }).click();
  await tablet.page.getByRole("button", { name: "Call the referee" }).waitFor();
  await tablet.context.close();
  await phone.context.close();
});
