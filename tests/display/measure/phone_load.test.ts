// A phone that means harm, and one that lies over the table for hours: `scripts/measure-phone`.
import { Code, ConnectError, createClient, type Client, type Transport } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-node";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AccessService, Role } from "../../../services/display/src/gen/tilewarden/v1/access_pb";
import { CameraService } from "../../../services/display/src/gen/tilewarden/v1/camera_pb";
import { openBrowser, visit, type Visit } from "../support/browser";
import { Evening, laidOut } from "../support/evening";
import { share } from "../support/paint";
import { invite, Phone, writeFilm } from "../support/phone";
import { createGame, gameClient, joinGame, playTurns } from "../support/players";

const ATTACK_S = Number(process.env["ATTACK_SECONDS"] ?? 20);
const PAGE_S = Number(process.env["PAGE_SECONDS"] ?? 600);
const HOURS = Number(process.env["STREAM_HOURS"] ?? 2);
// As the page sends while the table is quiet.
const SMALL_PER_S = 1_000 / 250;
const SHARP_EVERY_S = 4;
const MOST_TAKEN_PER_S = 30; // by the service
const MOST_PER_S = MOST_TAKEN_PER_S - 1;

let browser: Browser;
let evening: Evening;
let v: Visit;
let folder = "";
let house: (token: string) => Transport;
let phone: Client<typeof CameraService>;
let display: Client<typeof CameraService>;
let sharp: Buffer;
let small: Buffer;

const cameraOf = (token: string) => createClient(CameraService, house(token));
async function tokenOf(role: Role): Promise<string> {
  const access = createClient(AccessService, createGrpcWebTransport({ baseUrl: evening.origin, httpVersion: "1.1" }));
  const { code } = await access.createPairingCode({ role });
  return (await access.pair({ code, device: "a test" })).token;
}
// Of the film's picture, as a phone's page makes it.
async function smallOf(jpeg: Buffer): Promise<Buffer> {
  const sheet = await browser.newPage();
  const base64 = await sheet.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(480, 270);
    canvas.getContext("2d")!.drawImage(image, 0, 0, 480, 270);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.6 })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, jpeg.toString("base64"));
  await sheet.close();
  return Buffer.from(base64, "base64");
}
const MiB = (kib: number) => `${(kib / 1024).toFixed(0)} MiB`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tilewarden-load-"));
  [browser, evening] = await Promise.all([openBrowser(), Evening.begin(), laidOut(join(folder, "board.jpg"), 4, 40, 3, { width: 1920, height: 1080 })]);
  await writeFilm(join(folder, "film.mjpeg"), [{ file: join(folder, "board.jpg"), seconds: 10 }]);
  v = await visit(browser, `${evening.origin}/#/new`, { calm: true });
  const { address } = await invite(v.page);
  // By a name that is not this machine's own, so that it counts as the network.
  const baseUrl = `https://tilewarden.test:${new URL(address).port}`;
  const lookup: LookupFunction = (_, { all }, found) => (all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4));
  house = (token) =>
    createGrpcWebTransport({
      baseUrl,
      httpVersion: "1.1",
      nodeOptions: { rejectUnauthorized: false, lookup },
      interceptors: [(next) => (request) => {
        if (token) request.header.set("Authorization", `Bearer ${token}`);
        return next(request);
      }],
    });
  sharp = await readFile(join(folder, "board.jpg"));
  small = await smallOf(sharp);
  phone = cameraOf(await tokenOf(Role.CAMERA));
  display = cameraOf(await tokenOf(Role.DISPLAY));
}, 180_000);
afterAll(async () => {
  await v?.context.close();
  await evening?.end();
  await browser?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const sendSharp = (by = phone) => by.sendPicture({ phone: "load", takeOver: true, jpeg: sharp });
const sendSmall = (by = phone) => by.sendPicture({ phone: "load", jpeg: small, sharpWidthPx: 1920, sharpHeightPx: 1080 });

// What somebody else has of the house meanwhile: how long it takes to ask for its games, in ms, from
// a process of its own.
const OTHERS = `
  const [origin, seconds] = process.argv.slice(1);
  const times = [];
  const empty = new Uint8Array(5);
  const call = async (method) => {
    const headers = { "Content-Type": "application/grpc-web+proto", "X-Grpc-Web": "1" };
    const answer = await fetch(origin + "/tilewarden.v1.GameService/" + method, { method: "POST", headers, body: empty });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(answer.status);
  };
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
    const begun = performance.now();
    await call("ListGames");
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  console.log(JSON.stringify(times));
`;
async function others(seconds: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", OTHERS, evening.origin, String(seconds)]);
  return (JSON.parse(stdout) as number[]).sort((a, b) => a - b);
}
const told = (times: readonly number[]) => `p50 ${share(times, 0.5).toFixed(0)} ms, p95 ${share(times, 0.95).toFixed(0)} ms, longest ${times.at(-1)!.toFixed(0)} ms of ${times.length}`;

// A header that claims 65,535 x 65,535 pixels.
function bombOf(jpeg: Buffer): Buffer {
  const bomb = Buffer.from(jpeg);
  bomb.fill(0xff, bomb.indexOf(Buffer.from([0xff, 0xc0])) + 5, bomb.indexOf(Buffer.from([0xff, 0xc0])) + 9);
  return bomb;
}

it("a phone that means harm is refused, and nobody else is slower", { timeout: 3_600_000 }, async () => {
  for (let i = 0; i < 5; ++i) {
    await sendSharp();
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // until it was read, too
  }
  const client = gameClient(evening.origin);
  const { gameId } = await createGame(client, "load", "by hand");
  await playTurns(client, gameId, 1, 30);
  console.log(`others, while all is quiet: ${told(await others(ATTACK_S))}`);
  let word = 0;
  const send = (jpeg: Buffer, by = phone) => by.sendPicture({ phone: `load-${++word}`, takeOver: true, jpeg });
  const attacks: readonly { readonly name: string; readonly at_once: number; readonly pause_ms: number; readonly may?: true; readonly shot: () => Promise<unknown> }[] = [
    { name: "huge", at_once: 4, pause_ms: 0, shot: () => send(Buffer.alloc(8_000_000, sharp)) },
    { name: "torn", at_once: 4, pause_ms: 0, shot: () => send(sharp.subarray(0, sharp.length / 2)) },
    { name: "no pictures", at_once: 4, pause_ms: 0, shot: () => send(Buffer.alloc(100_000, "nonsense")) },
    { name: "bombs", at_once: 4, pause_ms: 0, shot: () => send(bombOf(sharp)) },
    { name: "500 a second", at_once: 10, pause_ms: 20, may: true, shot: () => sendSmall() },
    { name: "sharp, at once", at_once: 10, pause_ms: 0, may: true, shot: () => sendSharp() },
    { name: "a display's token", at_once: 4, pause_ms: 0, shot: () => sendSharp(display) },
    { name: "a wrong token", at_once: 4, pause_ms: 0, shot: () => sendSharp(cameraOf("tw_0123456789_0123456789012345678901234567890123456789012")) },
  ];
  const memory = await evening.residentKiB();
  for (const { name, at_once, pause_ms, may, shot } of attacks) {
    const answers = new Map<string, number>();
    await sendSharp().catch(() => {}); // the camera again
    let over = false;
    const attackers = Array.from({ length: at_once }, async () => {
      while (!over) {
        const answer = await shot().then(() => "taken", (problem: unknown) => Code[ConnectError.from(problem).code]!);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        if (pause_ms) await new Promise((resolve) => setTimeout(resolve, pause_ms));
      }
    });
    const times = await others(ATTACK_S);
    over = true;
    await Promise.all(attackers);
    console.log(`${name}: ${[...answers].map(([code, n]) => `${n} ${code}`).join(", ")}; others ${told(times)}; memory ${MiB((await evening.residentKiB()) - memory)} more`);
    expect(evening.alive).toBe(true);
    // As many as a phone may send, of those that are pictures; of the others none.
    expect(answers.get("taken") ?? 0).toBeLessThanOrEqual(may ? MOST_TAKEN_PER_S * (ATTACK_S + 2) : 0);
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await sendSharp();
});

it("hours of pictures leave the memory as it is", { timeout: 7_200_000 }, async () => {
  const pictures = Math.round(HOURS * 3_600 * SMALL_PER_S);
  const sharpEvery = Math.round(SHARP_EVERY_S * SMALL_PER_S);
  const memory: number[] = [];
  const begun = Date.now();
  for (let i = 0; i < pictures; ++i) {
    await (i % sharpEvery === 0 ? sendSharp() : sendSmall());
    const early = begun + (1_000 * i) / MOST_PER_S - Date.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    if (i % Math.ceil(pictures / 20) === 0) memory.push(await evening.residentKiB());
  }
  console.log(`${pictures} pictures, ${HOURS} h of a quiet table, in ${((Date.now() - begun) / 60_000).toFixed(0)} min; resident: ${memory.map(MiB).join(", ")}`);
});

it("a page that lies there costs little", { timeout: 7_200_000 }, async () => {
  await v.page.goto(`${evening.origin}/#/new`);
  const { address, code } = await invite(v.page);
  const lying = await Phone.scan(join(folder, "film.mjpeg"), address, code);
  // The board as it lies is a game that goes on.
  await joinGame(gameClient(evening.origin), "quiet", "A quiet table");
  const cdp: CDPSession = await lying.visit.context.newCDPSession(lying.page);
  await cdp.send("Performance.enable");
  const heap = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "JSHeapUsedSize")!.value / 1024;
  };
  await lying.page.waitForTimeout(10_000);
  const [heaps, memory]: [number[], number[]] = [[], []];
  const [used, since] = [await evening.processorSeconds(), Date.now()];
  for (let i = 0; i <= 10; ++i) {
    heaps.push(await heap());
    memory.push(await evening.residentKiB());
    if (i < 10) await lying.page.waitForTimeout((1_000 * PAGE_S) / 10);
  }
  const busy = ((await evening.processorSeconds()) - used) / ((Date.now() - since) / 1_000);
  const traffic = await lying.page.locator(".phone-traffic span").textContent();
  console.log(`a phone's page over a quiet table for ${PAGE_S} s: program ${(100 * busy).toFixed(1)} % of a core, ${traffic}; page's heap ${heaps.map((kib) => (kib / 1024).toFixed(1)).join(", ")} MiB; resident ${memory.map(MiB).join(", ")}`);
  await lying.close();
});
