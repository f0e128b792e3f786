// Draws the film frame by frame for a file. It is a GIF: every messenger, photo album and browser
// plays one by itself. The browsers' own recorders write WebM, which Safari and iPhones do not, and
// they only record as long as the film plays and the page is in sight.
import type { TileTypes } from "../../live/use_game";
import { PictureWorker, pixelsOf } from "../../live/files";
import { contextOf } from "../../live/keep";
import { framesOf, shownScores, type FilmFrame, type Scene, type Script } from "../../model/replay";
import type { View } from "../../model/view";
import type { Texts } from "../../texts/texts";
import { signed } from "../words";
import { Sprites } from "./sprites";
import { sceneTitle } from "./words";

export const MOST_BYTES = 4e6;
// Pixels; a film that grows too large is drawn again, smaller.
const WIDTHS = [800, 600, 480, 360, 270];
// Twenty frames a second: all that GIF players agree on.
const STEP_MS = 50;
const MARGIN = 10;
const STRIP = 58;

interface Making {
  readonly signal: AbortSignal;
  readonly onShare: (share: number) => void;
}

export async function filmFile(script: Script, types: TileTypes, texts: Texts, making: Making): Promise<Blob> {
  const frames = framesOf(script, STEP_MS);
  for (const width of WIDTHS) {
    const file = await attempt(new Painter(script, await Sprites.of(script, types, texts, cellOf(script, width)), texts, width), frames, making);
    if (file) return new Blob([file as BlobPart], { type: "image/gif" });
  }
  throw new Error("the film is too large");
}

// Undefined: it would be too large.
async function attempt(painter: Painter, frames: readonly FilmFrame[], { signal, onShare }: Making): Promise<Uint8Array | undefined> {
  const worker = new PictureWorker();
  try {
    const { width, height } = painter;
    await worker.ask({ kind: "film", width, height, pixels: painter.poster(frames[frames.length - 1]!) });
    for (const [i, frame] of frames.entries()) {
      // The worker's answer comes as a task of its own: between two frames the page does what it likes.
      const { bytes } = await worker.ask({ kind: "frame", pixels: painter.paint(frame), shown_ms: frame.shown_ms });
      signal.throwIfAborted();
      if (bytes > MOST_BYTES) return undefined;
      onShare((i + 1) / frames.length);
    }
    return (await worker.ask({ kind: "end" })).file;
  } finally {
    worker.end();
  }
}

// Whole pixels to a cell, so that tiles meet without a seam.
function cellOf({ bounds }: Script, width: number): number {
  const { left, top, right, bottom } = bounds ?? { left: 0, top: 0, right: 1, bottom: 1 };
  return Math.max(8, Math.floor(Math.min((width - 2 * MARGIN) / (right - left), (width * 1.25) / (bottom - top), 120)));
}

class Painter {
  readonly height: number;
  private readonly picture: CanvasRenderingContext2D;
  // What lies still in the scene that is drawn.
  private readonly still: CanvasRenderingContext2D;
  private scene: Scene | undefined;
  private readonly most: number;

  constructor(
    private readonly script: Script,
    private readonly sprites: Sprites,
    private readonly texts: Texts,
    readonly width: number,
  ) {
    const { top, bottom } = script.bounds ?? { top: 0, bottom: 1 };
    this.height = (bottom - top) * sprites.cell + 2 * MARGIN + STRIP;
    this.picture = contextOf(width, this.height);
    this.still = contextOf(width, this.height);
    this.most = Math.max(10, ...(script.scenes[script.scenes.length - 1]?.after.players.map(({ score }) => score) ?? []));
  }

  // The end with a sign of everything that ever shows on top of it: for the colours.
  poster({ scene, at_ms }: FilmFrame): ArrayBuffer {
    this.draw(scene, at_ms);
    this.sprites.scatter(this.picture);
    this.strip(scene.after);
    return pixelsOf(this.picture.canvas);
  }

  paint({ scene, at_ms }: FilmFrame): ArrayBuffer {
    this.draw(scene, at_ms);
    return pixelsOf(this.picture.canvas);
  }

  private draw(scene: Scene, ms: number): void {
    if (this.scene !== scene) this.layOut(scene);
    this.picture.drawImage(this.still.canvas, 0, 0);
    const { cell } = this.sprites;
    for (const part of scene.parts) {
      const { dx, dy, scale, turn, opacity } = part.pose(ms);
      if (opacity <= 0) continue;
      const { x, y } = this.pixel(part.cell.x + dx + 0.5, part.cell.y + dy + 0.5);
      this.picture.save();
      this.picture.globalAlpha = opacity;
      this.picture.translate(x, y);
      this.picture.rotate((turn * Math.PI) / 180);
      this.picture.scale(scale, scale);
      if (part.kind === "tile") {
        this.sprites.tile(this.picture, part.tile, -cell / 2, -cell / 2);
        this.sprites.rim(this.picture, part.tile.colour, -cell / 2, -cell / 2);
      } else if (part.kind === "figure") this.sprites.figure(this.picture, part.figure, -(part.cell.x + 0.5) * cell, -(part.cell.y + 0.5) * cell);
      else this.sprites.gain(this.picture, part.gain.colour, signed(part.gain.points));
      this.picture.restore();
    }
    this.strip(shownScores(scene, ms));
    const title = sceneTitle(this.texts, scene);
    if (title) this.title(title);
  }

  private title(words: string): void {
    const { picture: to, sprites } = this;
    const size = this.width / 20;
    to.font = sprites.font(size, 800);
    const shown = shortened(to, words, this.width - 6 * MARGIN);
    const wide = to.measureText(shown).width + 1.4 * size;
    to.fillStyle = sprites.colour("--card");
    to.strokeStyle = sprites.colour("--card-edge");
    to.lineWidth = 3;
    to.beginPath();
    to.roundRect((this.width - wide) / 2, 2 * MARGIN, wide, 1.8 * size, size / 2);
    to.fill();
    to.stroke();
    to.fillStyle = sprites.colour("--ink-main");
    to.textAlign = "center";
    to.textBaseline = "middle";
    to.fillText(shown, this.width / 2, 2 * MARGIN + 0.95 * size);
  }

  private layOut(scene: Scene): void {
    this.scene = scene;
    const { ground } = scene;
    this.still.fillStyle = this.sprites.colour("--table");
    this.still.fillRect(0, 0, this.width, this.height);
    for (const tile of ground.tiles) {
      const { x, y } = this.pixel(tile.cell?.x ?? 0, tile.cell?.y ?? 0);
      this.sprites.tile(this.still, tile, x, y);
    }
    const origin = this.pixel(0, 0);
    const depth = (figure: (typeof ground.figures)[number]) => (figure.cell?.y ?? 0) + (figure.spot?.y ?? 0);
    for (const figure of [...ground.figures, ...ground.neutral].sort((a, b) => depth(a) - depth(b))) {
      this.sprites.figure(this.still, figure, origin.x, origin.y);
    }
  }

  private pixel(x: number, y: number): { x: number; y: number } {
    const { left, top, right } = this.script.bounds ?? { left: 0, top: 0, right: 1 };
    const { cell } = this.sprites;
    return { x: Math.round((this.width - (right - left) * cell) / 2) + (x - left) * cell, y: MARGIN + (y - top) * cell };
  }

  // Everybody's points below the board, with bars that grow.
  private strip(view: View): void {
    const { picture: to, sprites } = this;
    const y = this.height - STRIP;
    to.fillStyle = sprites.colour("--card");
    to.fillRect(0, y, this.width, STRIP);
    const room = (this.width - 2 * MARGIN) / Math.max(1, view.players.length);
    view.players.forEach((player, i) => {
      const x = MARGIN + i * room;
      const wide = room - 10;
      to.fillStyle = sprites.colour("--card-edge");
      to.fillRect(x, y + STRIP - 14, wide, 8);
      to.fillStyle = sprites.colour("--player", player.colour);
      to.fillRect(x, y + STRIP - 14, Math.round((wide * Math.max(0, player.score)) / this.most), 8);
      sprites.mark(to, player.colour, x + 13, y + 24, 13);
      to.fillStyle = sprites.colour("--ink-main");
      to.textBaseline = "middle";
      to.textAlign = "right";
      to.font = sprites.font(24, 800);
      to.fillText(String(player.score), x + wide, y + 25);
      const left = wide - 34 - to.measureText(String(player.score)).width;
      to.textAlign = "left";
      to.font = sprites.font(17, 600);
      to.fillText(shortened(to, this.texts.player(player), left), x + 31, y + 25);
    });
  }
}

function shortened(to: CanvasRenderingContext2D, name: string, room: number): string {
  const letters = [...name];
  let cut = name;
  while (letters.length > 0 && to.measureText(cut).width > room) cut = `${letters.slice(0, -1).join("").trimEnd()}…`, letters.pop();
  return letters.length > 0 ? cut : "";
}
