// Pictures of every view from the real services, for looking at and for the
// README: `tests/display/screenshots/take FOLDER`.
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { Role } from "../../../services/display/src/gen/tilewarden/v1/access_pb";
import { RefereeStep, SegmentKind } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { fromTheNetwork, openBrowser, touchBoard, visit, type Looks } from "../support/browser";
import { Camera, misfit, twoCities } from "../support/camera";
import { disputedEvening } from "../support/disputes";
import { boxBelowACamera, takeALook } from "../support/enrol";
import { HeldBoard } from "../support/held_board";
import { Painter } from "../support/painter";
import { createGame, engineClient, joinGame, pairingCode, playTurns, playWhateverFits, queryClient, sightingClient } from "../support/players";
import { House } from "../support/services";
import { useStage } from "../support/stage";

const RECORDING = fileURLToPath(new URL("../../recorded/two_players.mp4", import.meta.url));
const folder = process.env["SCREENSHOTS"] ?? "screenshots";
// Only pictures whose name holds this.
const only = process.env["ONLY"] ?? "";

const stage = useStage();
let gameId = "";

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  for (const [i, turns] of [12, 3, 30, 21, 16].entries()) {
    const other = await createGame(stage.client, `other-${i}`, `Table ${i + 2}`);
    await playTurns(stage.client, other.gameId, 1, turns);
  }
  gameId = (await createGame(stage.client, "a", "Friday evening")).gameId;
  await playTurns(stage.client, gameId, 1, 40);
});

const EVERYWHERE: readonly Looks[] = (["tablet", "upright", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((theme) => ({ size, theme })),
);
const LANGUAGES = ["de", "es", "fr", "nl", "pl"];
const TRANSLATED: readonly Looks[] = LANGUAGES.flatMap((language) =>
  (["phone", "tablet"] as const).map((size) => ({ size, theme: "light" as const, language })),
);

// Texts of which a part cannot be seen: wider than the box that cuts them off. A line that ends in dots
// on purpose says so in its title.
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const cut = [...document.querySelectorAll<HTMLElement>("body *")].filter((element) => {
      const style = getComputedStyle(element);
      const hides = style.overflowX !== "visible" && style.overflowX !== "auto" && style.overflowX !== "scroll";
      const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== "");
      return hides && text && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1 && element.title === "";
    });
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return [...cut.map((element) => `${element.className}: ${element.textContent}`), ...(wide > 0 ? [`the page is ${wide} px too wide`] : [])];
  });

// Every board and tile is there: the hall reads each of its tables by itself, and
// a tile whose type is not known yet is a plain field.
const allDrawn = (page: Page) =>
  page.waitForFunction(
    () =>
      [...document.querySelectorAll(".hall, .board, .hall-board")].every((board) => board.querySelector(".tile")) &&
      [...document.querySelectorAll(".tile")].every((tile) => tile.querySelectorAll("path").length > 2),
  );

async function take(name: string, address: string, looks: readonly Looks[], act?: (page: Page) => Promise<unknown>, from = here()) {
  if (!name.includes(only)) return;
  for (const look of looks) {
    const v = await visit(from.browser, `${from.origin}/${address}`, { ...look, calm: true });
    await v.page.waitForSelector("main:not(.no-game)");
    await allDrawn(v.page);
    await v.page.waitForTimeout(500);
    await act?.(v.page);
    if (act) await v.page.waitForTimeout(700);
    await allDrawn(v.page);
    const language = look.language ? `-${look.language}` : "";
    // Transparent where the page is, as streaming software shows it.
    await v.page.screenshot({ omitBackground: true, path: join(folder, `${name}-${look.size}-${look.theme}${language}.png`) });
    expect(v.complaints).toEqual([]);
    expect(v.strangers).toEqual([]);
    expect.soft(await cutTexts(v.page), `${name}-${look.size}${language}`).toEqual([]);
    await v.context.close();
  }
}

const here = () => ({ browser: stage.browser, origin: stage.house.origin });

async function touchFeature(page: Page, kind: SegmentKind) {
  const { figures } = (await stage.client.getGame({ gameId })).state!;
  const { cell, spot } = figures.find((figure) => figure.feature === kind)!;
  await touchBoard(page, cell!, spot!);
}

it("the running game", async () => {
  const at = (view: string, detail = "") => `#/${view}/${gameId}${detail}`;
  for (const view of ["board", "scores", "timeline", "tables", "correct", "new", "hall"]) await take(view, at(view), [...EVERYWHERE, ...TRANSLATED]);
  await take("feature-city", at("board"), TRANSLATED, (page) => touchFeature(page, SegmentKind.CITY));
  await take("overlay", at("overlay"), EVERYWHERE);
  await take("overlay-column", `?layout=column${at("overlay")}`, EVERYWHERE);
  for (const dress of ["look=light", "look=clear", "look=green&names=bars", "names=bars&layout=column", "look=light&names=bars&size=150", "names=none"]) {
    await take(`overlay-${dress.replace(/[&=]/g, "-")}`, `?${dress}${at("overlay")}`, [{ size: "tablet", theme: "light" }, { size: "phone", theme: "light" }]);
  }
  await take("points-lit", at("board"), EVERYWHERE, (page) => page.click(".point >> nth=2"));
  await take("feature-city", at("board"), EVERYWHERE, (page) => touchFeature(page, SegmentKind.CITY));
  await take("feature-road", at("board"), EVERYWHERE, (page) => touchFeature(page, SegmentKind.ROAD));
  await take("feature-field", at("board"), EVERYWHERE, (page) => touchFeature(page, SegmentKind.FIELD));
  await take("correct-turn", at("correct", "/40"), EVERYWHERE, async (page) => {
    await page.waitForSelector(".turn-editor");
    await page.click('[data-colour="blue"]');
    await page.waitForSelector('[data-preview="ready"], [data-preview="refused"]');
  });
  await take("correct-points", at("correct"), [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.click(".correct-buttons button >> nth=2");
    await page.click('.points-editor [data-colour="blue"]');
    for (let i = 0; i < 3; ++i) await page.click(".stepper button >> nth=1");
    await page.fill(".points-editor .field input", "the road was longer");
    await page.waitForSelector('[data-preview="ready"]');
  });
  await take("correct-undo", at("correct"), EVERYWHERE, (page) => page.click(".correct-buttons button >> nth=0"));
  await take("correct-hand", at("correct"), EVERYWHERE, (page) => touchBoard(page, { x: 0, y: -3 }, { x: 0.5, y: 0.5 }));
  await take("settings", at("board"), [...EVERYWHERE, ...TRANSLATED], (page) => page.click(".header nav button"));
  await take("spectator", `?spectator${at("correct")}`, EVERYWHERE);
  await take("timeline-past", at("timeline"), EVERYWHERE, async (page) => {
    await page.fill('.scrubber input', "17");
  });
  await take("timeline-export", at("timeline"), [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.click(".chart-card summary");
    await page.locator(".chart-card details").scrollIntoViewIfNeeded();
  });
  await take("large-contrast", `?large&contrast&safeColours${at("board")}`, EVERYWHERE);
});

it("the people who play", async () => {
  const players = (red: string, blue: string) => [{ colour: "red", name: red }, { colour: "blue", name: blue }];
  for (const [i, [red, blue]] of [["Anna", "Ben"], ["Cleo", "Anna"], ["Ben", "Maximiliane von der Tann"], ["Anna", "Cleo"]].entries()) {
    const { gameId: id } = await createGame(stage.client, `evening-${i}`, `Evening ${i + 1}`, players(red!, blue!));
    await playTurns(stage.client, id, 1, 12 + 4 * i);
    await stage.client.endGame({ requestId: `evening-${i}-end`, gameId: id });
  }
  await take("players", "#/players", [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.click('[data-player="Anna"] summary');
    await page.click('[data-player="Anna"] .person-buttons button >> nth=1');
  });
});

it("the owner's tiles", async () => {
  const shelf = async (page: Page, set: string) => {
    await page.waitForSelector(".tiles-head option", { state: "attached" });
    await page.selectOption(".tiles-head select", set);
    await page.waitForSelector("[data-tile]");
  };
  await take("tiles", `#/tiles/${gameId}`, [...EVERYWHERE, ...TRANSLATED], (page) => shelf(page, "cutcassonne"));
  const drawing = async (page: Page) => {
    await shelf(page, "cutcassonne");
    await page.click('[data-tile="C.06"]');
    await page.waitForSelector('[data-verdict="good"]');
    await page.click('[data-segment="0"] .segment-name');
    await page.fill('[data-mark="arms"] input', "1");
    await page.waitForSelector('[data-verdict="good"]');
  };
  await take("tile-editor", `#/tiles/${gameId}`, [...EVERYWHERE, ...TRANSLATED], drawing);
  await take("tile-fault", `#/tiles/${gameId}`, EVERYWHERE, async (page) => {
    await shelf(page, "cutcassonne");
    await page.click('[data-tile="C.05"]');
    await page.waitForSelector('[data-verdict="good"]');
    await page.click('.tile-facts [role="switch"] >> nth=0');
    await page.click('[data-segment="1"] .segment-name');
    await page.click("[data-border] input");
    await page.waitForSelector('[data-verdict="fault"]');
    await page.locator('[data-verdict="fault"]').scrollIntoViewIfNeeded();
  });
});

it("long names, and a connection that is lost", async () => {
  if (!["long-names", "lost", "unknown"].some((name) => name.includes(only))) return;
  const players = [
    { colour: "red", name: "Maximiliane Charlotte von Hohenstein" },
    { colour: "blue", name: "Ben" },
    { colour: "green", name: "Die zweite Mannschaft" },
  ];
  const { gameId: id } = await createGame(stage.client, "long", "The great Carcassonne championship of the Upper Lower Village", players);
  const named = (page: Page) => page.waitForSelector(".player");
  await take("long-names", `#/board/${id}`, EVERYWHERE, named);
  await take("long-names-scores", `#/scores/${id}`, EVERYWHERE, named);
  await take("lost", `#/board/${id}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.context().setOffline(true);
    await page.waitForSelector(".alert-link");
  });
  if (!"unknown".includes(only)) return;
  for (const look of EVERYWHERE) {
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/nobody`, { ...look, calm: true });
    await v.page.waitForSelector(".no-game a");
    await v.page.screenshot({ path: join(folder, `unknown-${look.size}-${look.theme}.png`) });
    await v.context.close();
  }
});

it("special figures and marks of tiles", async () => {
  if (!"special-figures".includes(only)) return;
  const players = [{ colour: "red", name: "Anna" }, { colour: "blue", name: "Ben" }];
  const { state } = await stage.client.createGame({ requestId: "special", name: "Ark and abbots", tileSet: "ark", players, placeStartTile: true });
  await playWhateverFits(stage.client, stage.query, state!.gameId, 24);
  await take("special-figures", `#/board/${state!.gameId}`, EVERYWHERE);
  await take("special-figures-scores", `#/scores/${state!.gameId}`, [{ size: "tablet", theme: "light" }]);
});

it("a finding", async () => {
  const state = (await stage.client.getGame({ gameId })).state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state);
  await camera.see(state, misfit(state, tiles));
  await take("finding", `#/board/${gameId}`, [...EVERYWHERE, ...TRANSLATED]);
  await take("finding-scores", `#/scores/${gameId}`, [...EVERYWHERE, ...TRANSLATED]);
  await take("finding-correct", `#/correct/${gameId}`, EVERYWHERE);
  await take("hall-finding", "#/hall", EVERYWHERE);
  await camera.see(state);
});

it("a hall at work", async () => {
  if (!"hall-queue hall-call".includes(only)) return;
  const WALL = [{ size: "wall", theme: "light" }, { size: "wall", theme: "dark" }] as const;
  const { games } = await stage.client.listGames({});
  const named = (name: string) => games.find((game) => game.name === name)!.gameId;
  for (const game of games) await stage.client.limitThinking({ requestId: `limit-${game.gameId}`, gameId: game.gameId, limitS: 1200 });
  await stage.client.callReferee({ requestId: "call-4", gameId: named("Table 4") });
  await stage.client.callReferee({ requestId: "call-2", gameId: named("Table 2") });
  await stage.client.answerCall({ requestId: "come-2", gameId: named("Table 2"), step: RefereeStep.COMING });
  const state = (await stage.client.getGame({ gameId })).state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
  const camera = new Camera(sightingClient(stage.house.engineAddress), gameId);
  await camera.see(state, misfit(state, tiles));
  const hide = async (page: Page) => {
    await page.locator(`[data-game="${named("Table 3")}"] .hall-hide`).click();
    await page.evaluate(() => document.querySelector(".hall")!.scrollTo(0, 0));
  };
  await take("hall-queue", "#/hall", [...WALL, ...TRANSLATED, ...EVERYWHERE], hide);
  await take("hall-queue-spectator", "?spectator#/hall", WALL);
  await take("hall-call", `#/board/${named("Table 4")}`, [...EVERYWHERE, ...TRANSLATED]);
  await take("hall-call-coming", `#/board/${named("Table 2")}`, EVERYWHERE);
  await take("hall-call-none", `#/board/${named("Table 5")}`, EVERYWHERE);
  await camera.see(state);
});

it("a finding with pictures", async () => {
  const { gameId: id } = await createGame(stage.client, "pictures", "Monday");
  await playTurns(stage.client, id, 1, 20);
  const state = (await stage.client.getGame({ gameId: id })).state!;
  const { tiles } = await stage.client.getTileSet({ tileSet: state.tileSet });
  const painter = await Painter.open(stage.browser);
  const camera = new Camera(sightingClient(stage.house.engineAddress), id, painter);
  await camera.see(state);
  await camera.see(state, misfit(state, tiles));
  await painter.close();
  const shown = (page: Page) => page.waitForSelector("button.evidence");
  await take("evidence", `#/board/${id}`, [...EVERYWHERE, ...TRANSLATED], shown);
  await take("evidence-large", `#/board/${id}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await shown(page);
    await page.click("button.evidence");
  });
});

it("questions", async () => {
  const { gameId: id } = await createGame(stage.client, "three", "Saturday");
  const last = await twoCities(stage.client, id);
  const camera = new Camera(sightingClient(stage.house.engineAddress), id);
  const state = (await stage.client.getGame({ gameId: id })).state!;
  await camera.see(state);
  await camera.see(state, last, 2);
  const asked = (page: Page) => page.waitForSelector('[data-guarded="false"]');
  await take("question", `#/board/${id}`, [...EVERYWHERE, ...TRANSLATED], asked);
  await take("question-later", `#/board/${id}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await asked(page);
    await page.click(".question .quiet");
  });

  const joined = await joinGame(stage.client, "joined", "Sunday");
  await new Camera(sightingClient(stage.house.engineAddress), joined).see(state);
  await take("question-points", `#/board/${joined}`, [...EVERYWHERE, ...TRANSLATED]);
});

it("a second look", async () => {
  if (!["doubt", "doubt-large", "clips", "clips-table"].some((name) => name.includes(only))) return;
  const house = await House.open("127.0.0.1:0", ["--keep-clips", "30"]);
  const painter = await Painter.open(stage.browser);
  const from = { browser: stage.browser, origin: house.origin };
  const client = engineClient(house.engineAddress);
  const begin = async (name: string) => {
    const { gameId: id } = await createGame(client, name, "Saturday");
    return { id, camera: new Camera(sightingClient(house.engineAddress), id, painter) };
  };
  const doubt = await begin("doubt");
  const last = await twoCities(client, doubt.id);
  const state = (await client.getGame({ gameId: doubt.id })).state!;
  await doubt.camera.see(state);
  await doubt.camera.see(state, last, 2);
  const shown = async (page: Page) => {
    await page.waitForSelector('[data-guarded="false"]');
    await page.waitForSelector("button.evidence");
  };
  const onPhones: readonly Looks[] = LANGUAGES.map((language) => ({ size: "phone", theme: "light", language }));
  await take("doubt", `#/board/${doubt.id}`, [...EVERYWHERE, ...onPhones], shown, from);
  await take("doubt-large", `#/board/${doubt.id}`, EVERYWHERE, async (page) => {
    await shown(page);
    await page.click("button.evidence");
  }, from);

  const evening = await begin("clips");
  await disputedEvening(client, evening.id, evening.camera);
  await take("clips", `#/timeline/${evening.id}`, [...EVERYWHERE, ...onPhones], async (page) => {
    await page.click(".clips summary");
    await page.waitForSelector(".clip:nth-child(2) button.evidence");
  }, from);
  await painter.close();

  // The recorded table, on which a tile is laid that does not fit.
  const looking = await house.look(RECORDING);
  const query = queryClient(house.origin);
  const settled = async () => (await query.listClips({ gameId: looking.greeting })).clips.some((clip) => clip.settled);
  while (!(await settled())) await new Promise((resolve) => setTimeout(resolve, 1_000));
  await take("clips-table", `#/timeline/${looking.greeting}`, EVERYWHERE, async (page) => {
    await page.click(".clips summary");
    await page.waitForSelector(".clip button.evidence");
  }, from);
  await looking.stop();
  await house.close();
});

it("the end", async () => {
  await playTurns(stage.client, gameId, 41, 71);
  await stage.client.endGame({ requestId: "end", gameId });
  await take("final", `#/board/${gameId}`, [...EVERYWHERE, ...TRANSLATED]);
  await take("final-step", `#/board/${gameId}`, [...EVERYWHERE, ...TRANSLATED], (page) => page.click(".final-more .wide-button"));
  await take("final-farm", `#/board/${gameId}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.click(".final-more .wide-button");
    await page.click(".final-buttons .wide-button >> nth=1");
    while ((await page.locator(".fed").count()) < 2) await page.click(".final-buttons .wide-button >> nth=2");
  });
  const scene = (to: number) => async (page: Page) => {
    await page.waitForSelector(".stage-ground .tile");
    await page.fill(".scrubber input", String(to));
    await page.locator(".scrubber input").blur();
  };
  await take("replay", `#/replay/${gameId}`, [...EVERYWHERE, ...TRANSLATED], scene(44));
  await take("replay-final", `#/replay/${gameId}`, [...EVERYWHERE, ...TRANSLATED], scene(72));
  await take("replay-end", `#/replay/${gameId}`, [...EVERYWHERE, ...TRANSLATED], scene(73));
  await take("replay-keep", `#/replay/${gameId}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await scene(20)(page);
    await page.click(".keep-film button");
    await page.waitForFunction(() => document.querySelector("progress")!.value > 0.1);
    await page.locator(".keep-film").scrollIntoViewIfNeeded();
  });
});

it("what the end gives to keep", async () => {
  if (!"kept".includes(only)) return;
  const translated: readonly Looks[] = LANGUAGES.map((language) => ({ theme: "light", language }));
  for (const look of [{ theme: "light" }, { theme: "dark" }, ...translated] as const) {
    const v = await visit(stage.browser, `${stage.house.origin}/#/board/${gameId}`, { ...look, calm: true });
    const keep = async (button: string, file: string) => {
      const [download] = await Promise.all([v.page.waitForEvent("download", { timeout: 120_000 }), v.page.click(button)]);
      await download.saveAs(join(folder, file));
    };
    const name = `${look.theme}${"language" in look ? `-${look.language}` : ""}`;
    await keep("[data-scorecard]", `kept-scorecard-${name}.png`);
    await v.page.goto(`${stage.house.origin}/#/replay/${gameId}`);
    await keep(".keep-film button", `kept-replay-${name}.gif`);
    await v.context.close();
  }
});

it("the game as a page of its own", async () => {
  if (!"keepsake".includes(only)) return;
  const v = await visit(stage.browser, `${stage.house.origin}/#/timeline/${gameId}`, { calm: true });
  await v.page.click(".chart-card summary");
  const [download] = await Promise.all([v.page.waitForEvent("download"), v.page.click('[data-export="page"]')]);
  const file = join(stage.house.folder, download.suggestedFilename());
  await download.saveAs(file);
  for (const look of EVERYWHERE) {
    const kept = await visit(stage.browser, `file://${file}`, look);
    await kept.page.screenshot({ path: join(folder, `keepsake-${look.size}-${look.theme}.png`) });
    await kept.context.close();
  }
  await v.context.close();
});

it("devices are let in", async () => {
  if (!["pair", "devices", "let-in"].some((name) => name.includes(only))) return;
  const name = "tablet.test";
  const [house, browser] = await Promise.all([House.open("0.0.0.0:0"), openBrowser(fromTheNetwork(name))]);
  try {
    const { port } = new URL(house.origin);
    const there = { browser, origin: `https://${name}:${port}` };
    await take("pair", "#/board", [...EVERYWHERE, ...TRANSLATED], undefined, there);
    for (const [device, role] of [["Kitchen tablet", Role.DISPLAY], ["Anna’s phone", Role.REFEREE], ["Old laptop", Role.DISPLAY]] as const) {
      const v = await visit(browser, `${there.origin}/#/board`);
      await v.page.getByLabel("Code").fill(await pairingCode(house.engineAddress, role));
      await v.page.getByLabel("Name of this device").fill(device);
      await v.page.keyboard.press("Enter");
      await v.page.getByRole("heading", { name: "No game yet" }).waitFor();
      await v.context.close();
    }
    const engine = { browser, origin: `https://127.0.0.1:${port}` };
    await createGame(engineClient(house.engineAddress), "devices", "Friday evening");
    const unfold = async (page: Page) => {
      await page.click(".join summary");
      await page.waitForSelector("[data-device]");
    };
    await take("devices", "#/tables", [...EVERYWHERE, ...TRANSLATED], async (page) => {
      await unfold(page);
      await page.click("[data-device] button >> nth=1");
      await page.locator("[data-device] >> nth=-1").scrollIntoViewIfNeeded();
    }, engine);
    await take("let-in", "#/tables", [...EVERYWHERE, ...TRANSLATED], async (page) => {
      await unfold(page);
      await page.click(".let-in button");
      await page.locator(".let-in-code").scrollIntoViewIfNeeded();
    }, engine);
  } finally {
    await browser.close();
    await house.close();
  }
});

it("a camera over the recorded table", async () => {
  if (!["camera", "camera-blend", "camera-silent", "new-camera", "tile-picture"].some((name) => name.includes(only))) return;
  const looking = await stage.house.look(RECORDING);
  const id = looking.greeting;
  // Some turns of it; the recording goes on at its own pace.
  for (let turn = 0; turn < 7; turn = (await stage.client.getGame({ gameId: id })).state!.turn) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const pictured = (selector: string) => (page: Page) => page.waitForSelector(selector);
  await take("camera", `#/camera/${id}`, [...EVERYWHERE, ...TRANSLATED], pictured(".camera-sees image"));
  await take("camera-blend", `#/board/${id}`, EVERYWHERE, async (page) => {
    await page.click(".camera-blend button");
    await page.waitForSelector(".camera-picture");
  });
  await take("new-camera", "#/new", [...EVERYWHERE, ...TRANSLATED], pictured(".camera-box"));
  await take("tile-picture", `#/tiles/${id}`, [...EVERYWHERE, ...TRANSLATED], async (page) => {
    await page.click('[data-tile="B.D"]');
    await page.waitForSelector(".picture-share input");
    await page.fill(".picture-share input", "60");
    await page.waitForSelector(".tile-photo image");
  });
  await looking.stop();
  await take("camera-silent", `#/camera/${id}`, [...EVERYWHERE, ...TRANSLATED], pictured('[data-health="silent"]'));
});

it("a box below the camera", async () => {
  if (!["enrol-begin", "enrol-naming"].some((name) => name.includes(only))) return;
  const pictures = await boxBelowACamera(stage.house.folder);
  const camera = await stage.house.cameraAt(pictures);
  try {
    await take("enrol-begin", "#/enrol", [...EVERYWHERE, ...TRANSLATED], (page) => page.waitForSelector(".enrol-steps"));
    // A folder into which nothing is put for seconds is a camera that gives nothing.
    await copyFile(join(pictures, "1.jpg"), join(pictures, "2.jpg"));
    await take("enrol", "#/enrol", [...EVERYWHERE, ...TRANSLATED], takeALook);
    await take("enrol-naming", "#/enrol", [...EVERYWHERE, ...TRANSLATED], async (page) => {
      await page.click("[data-number] >> nth=0");
      await page.waitForSelector(".enrol-naming");
    });
  } finally {
    await camera.stop();
  }
});

it("the camera's lens", async () => {
  if (!["calibrate-begin", "calibrate"].some((name) => name.includes(only))) return;
  const folder = join(stage.house.folder, "held");
  await mkdir(folder);
  const camera = await stage.house.cameraAt(folder);
  const v = await visit(stage.browser, `${stage.house.origin}/#/calibrate`, { calm: true });
  try {
    await v.page.waitForSelector(".calibrate-board path");
    const board = await HeldBoard.of(v, folder);
    await take("calibrate-begin", "#/calibrate", [...EVERYWHERE, ...TRANSLATED], (page) => page.waitForSelector(".calibrate-board path"));
    await v.page.getByRole("button", { name: "Begin" }).click();
    for (let shot = 0; shot < 12; ++shot) {
      await board.follow(v.page);
      await v.page.waitForTimeout(700);
    }
    await v.page.getByRole("button", { name: "Stop" }).click();
    await take("calibrate", "#/calibrate", [...EVERYWHERE, ...TRANSLATED], async (page) => {
      await page.click(".calibrate-steps button");
      // A folder into which nothing is put for seconds is a camera that gives nothing.
      await board.take(2, "left");
      await page.waitForSelector(".calibrate-coverage");
    });
  } finally {
    await v.context.close();
    await camera.stop();
  }
});
