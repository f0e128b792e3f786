// What a person does at the page, counted; pictures of each step; and what is said about it at the end.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { Finding, GameState, Question } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { SIZES, visit, type Visit } from "./browser";
import { until, type Evening, type TableCamera } from "./evening";
import { Frame, trueAnswer, type Truth } from "./truth";

const MOST_TABS = 400;
type Light = "light" | "dark";

export class Walk {
  touches = 0;
  letters = 0;
  // Pictures cost time that nobody at a table spends.
  posed_ms = 0;
  private shots = 0;
  private readonly told: string[] = [];
  private v: Visit | undefined;

  // `keys`: nobody has a pointer.
  constructor(
    readonly folder: string,
    private readonly lights: readonly Light[],
    private readonly keys = false,
  ) {}

  get page(): Page {
    return this.v!.page;
  }
  get complaints(): readonly string[] {
    return this.v!.complaints;
  }
  async begin(browser: Browser, address: string): Promise<void> {
    this.v = await visit(browser, address, { calm: true });
  }
  async end(): Promise<void> {
    await this.v?.context.close();
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, "walk.txt"), `${this.told.join("\n")}\n`);
  }
  say(line: string): void {
    this.told.push(line);
    console.log(line);
  }

  readonly touch = async (what: Locator): Promise<void> => {
    this.touches += 1;
    if (!this.keys) return what.click();
    await this.focus(what);
    await this.page.keyboard.press("Enter");
  };
  async type(what: Locator, text: string): Promise<void> {
    this.touches += 1;
    this.letters += text.length;
    if (!this.keys) return what.fill(text);
    await this.focus(what);
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.type(text);
  }
  // In a list that opens: it is touched, and then what it offers.
  async choose(list: Locator, value: string): Promise<void> {
    this.touches += 2;
    await list.selectOption(value);
  }

  async chooseFolder(folder: string): Promise<void> {
    await this.touch(this.page.getByText("Another camera"));
    await this.type(this.page.getByRole("textbox", { name: /^Another camera/ }), `follow:${folder}`);
    await this.touch(this.page.getByRole("button", { name: "Use this" }));
  }
  async endGame(): Promise<void> {
    await this.touch(this.page.getByRole("link", { name: "Correct" }));
    await this.touch(this.page.getByRole("button", { name: "End the game" }));
    await this.touch(this.page.getByRole("button", { name: "Confirm" }));
    await this.touch(this.page.getByRole("link", { name: "Board" }));
    await this.page.getByRole("heading", { name: "Final scores" }).waitFor();
  }

  // The step as it is, at every size; nothing of it is lost. `what`: somebody scrolls to it.
  async look(name: string, what?: Locator): Promise<void> {
    const since = Date.now();
    await mkdir(this.folder, { recursive: true });
    const step = `${String(++this.shots).padStart(2, "0")}-${name}`;
    for (const [size, viewport] of Object.entries(SIZES)) {
      await this.page.setViewportSize(viewport);
      for (const colorScheme of this.lights) {
        await this.page.emulateMedia({ colorScheme });
        await this.page.waitForTimeout(350);
        await what?.evaluate((element) => element.scrollIntoView({ block: "center" }));
        await this.page.screenshot({ path: join(this.folder, `${step}-${size}-${colorScheme}.png`) });
      }
    }
    await this.page.setViewportSize(SIZES.tablet);
    await this.page.emulateMedia({ colorScheme: "light" });
    this.posed_ms += Date.now() - since;
  }

  // As somebody without a pointer gets there: Tab until it has the focus.
  private async focus(what: Locator): Promise<void> {
    await what.waitFor();
    const has = () => what.evaluate((element) => (element.closest("a, button, summary, input, select") ?? element) === document.activeElement);
    for (let tabs = 0; !(await has()); ++tabs) {
      if (tabs === MOST_TABS) throw new Error(`keys do not reach ${String(what)}`);
      await this.page.keyboard.press("Tab");
    }
  }
}

// After a walk, however far it came.
export async function clearAway(walk: Walk, camera: TableCamera | undefined, evening: Evening | undefined, browser: Browser | undefined, folder: string): Promise<void> {
  camera?.stop();
  await walk.end();
  await evening?.end();
  await browser?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
}

// What the game said while it was played.
export interface Heard {
  // By the number of the turn under way.
  readonly faulted: ReadonlyMap<number, readonly Finding[]>;
  readonly asked: readonly Question[];
  // Of those: answered by somebody, and put aside because no answer was true. The table told the others.
  readonly answered: readonly Question[];
  readonly aside: readonly Question[];
}

// Whoever is asked about the turn they are in goes on with it first.
const LOOKS_BEFORE_ANSWER = 6;

// The game is played and watched on its page: what is asked is answered as it was. Pictures of the
// first fault and of the first question.
export async function playAndAnswer(walk: Walk, evening: Evening, camera: TableCamera, truth: Truth, play: (state: () => Promise<GameState>) => Promise<void>): Promise<Heard> {
  const { gameId } = (await evening.client.getGame({ gameId: "" })).state!;
  const now = async () => (await evening.client.getGame({ gameId })).state!;
  const faulted = new Map<number, readonly Finding[]>();
  const since = new Map<Question, number>();
  const answered: Question[] = [];
  const aside: Question[] = [];
  let playing = true;
  const watching = (async () => {
    for (let last = false; !last; ) {
      last = !playing;
      const state = await now();
      const looks = await evening.framesRead();
      // A figure that lies there a moment after it scored is no fault yet.
      const faults = state.findings.filter(({ code }) => code !== "figure-not-returned");
      if (faults.length > 0) {
        if (faulted.size === 0) await camera.hold(() => walk.look("a-fault"));
        if (!faulted.has(state.turn + 1)) walk.say(`turn ${state.turn + 1}: ${state.findings.map(({ text }) => text).join(" ")}`);
        faulted.set(state.turn + 1, faults);
      }
      for (const question of state.questions) {
        if ([...since.keys()].some(({ id }) => id === question.id)) continue;
        since.set(question, looks);
        if (since.size === 1) await camera.hold(() => walk.look("a-question"));
      }
      const question = [...since.keys()].find((one) => !answered.includes(one) && !aside.includes(one) && state.questions.some(({ id }) => id === one.id));
      if (question && faults.length === 0 && (last || looks >= since.get(question)! + LOOKS_BEFORE_ANSWER)) {
        const answer = trueAnswer(question, truth, new Frame(truth, state));
        (answer === undefined ? aside : answered).push(question);
        const card = walk.page.locator(`[data-question="${question.id}"]`);
        await walk.touch(answer === undefined ? card.locator(":scope > button") : card.locator(`[data-answer="${answer}"]`));
        if (answer !== undefined) await until("the answer", async () => !(await now()).questions.some(({ id }) => id === question.id));
        last = false;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  try {
    await play(now);
  } finally {
    playing = false;
  }
  await watching;
  return { faulted, asked: [...since.keys()], answered, aside };
}
