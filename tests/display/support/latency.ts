// What passes between a hand's leaving the picture and the new score on the page.
import type { Page } from "playwright-core";
import type { RestTimes } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import { share, watchHearing, type Hears } from "./paint";

export const STAGES = ["camera to gate", "gate", "reading", "report", "referee and log", "watch", "paint", "all"] as const;
type Stage = (typeof STAGES)[number];

// When the page heard of a number of tiles, and had painted them. Of all times: this machine's clock.
export interface Paint {
  readonly heard: number;
  readonly painted: number;
}

// Begins to take them; `paintsOf` tells.
export async function watchTiles(shown: Page): Promise<void> {
  await watchHearing(shown);
  await shown.evaluate(() => {
    const paints: Record<number, { heard: number; painted: number }> = {};
    Object.assign(window, { paints });
    new MutationObserver(() => {
      const tiles = document.querySelectorAll(".world > g .tile[data-cell]").length;
      if (paints[tiles]) return;
      const at = { heard: (window as unknown as Hears).heard, painted: 0 };
      paints[tiles] = at;
      requestAnimationFrame(() => setTimeout(() => (at.painted = performance.timeOrigin + performance.now())));
    }).observe(document.querySelector(".world")!, { childList: true, subtree: true });
  });
}
export const paintsOf = (shown: Page): Promise<Record<number, Paint>> =>
  shown.evaluate(() => (window as unknown as { paints: Record<number, Paint> }).paints);

// The stages of every move, and what is said of them.
export class StageTimes {
  private readonly of = Object.fromEntries(STAGES.map((stage) => [stage, [] as number[]])) as Record<Stage, number[]>;

  // `gone`: when the picture without the hand was there; `said`: when the engine service had the turn.
  note(gone: number, rest: RestTimes, said: number, { heard, painted }: Paint): void {
    const stages: Record<Stage, number> = {
      "camera to gate": rest.handGoneMs - gone,
      gate: rest.gateDoneMs - rest.handGoneMs,
      reading: rest.readMs - rest.gateDoneMs,
      report: rest.reportedMs - rest.readMs,
      "referee and log": said - rest.readMs,
      watch: heard - said,
      paint: painted - heard,
      all: painted - gone,
    };
    for (const stage of STAGES) this.of[stage].push(stages[stage]);
  }
  get count(): number {
    return this.of.all.length;
  }
  table(): string {
    const line = (stage: Stage) => {
      const sorted = [...this.of[stage]].sort((a, b) => a - b);
      return `  ${stage.padEnd(16)} ${share(sorted, 0.5).toFixed(0).padStart(5)} ${share(sorted, 0.95).toFixed(0).padStart(6)}`;
    };
    return STAGES.map(line).join("\n");
  }
}
