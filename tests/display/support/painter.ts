// Pictures as a camera would send them: the tiles from above, each in a colour that is
// that of its type, on a grey cloth.
import type { Browser, Page } from "playwright-core";
import type { XY } from "../../../services/display/src/model/grid";

const CELL_PX = 60;
// Cells around the tiles.
const AROUND = 1;

export const CLOTH = [90, 90, 90] as const;

// The colour that stands for this type.
export function paintOf(tile: string): readonly [number, number, number] {
  const hash = [...tile].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7);
  return [120 + (hash % 5) * 30, 40 + (Math.floor(hash / 5) % 4) * 25, 150 - (hash % 3) * 50];
}

export class Painter {
  private constructor(private readonly page: Page) {}

  static async open(browser: Browser): Promise<Painter> {
    return new Painter(await browser.newPage());
  }
  close(): Promise<void> {
    return this.page.close();
  }

  // As Sighting.top_view has it.
  async paint(tiles: readonly { tile: string; cell: XY }[]) {
    const xs = tiles.map(({ cell }) => cell.x);
    const ys = tiles.map(({ cell }) => cell.y);
    const corner = { x: Math.min(...xs) - AROUND, y: Math.min(...ys) - AROUND };
    const columns = Math.max(...xs) + 1 + AROUND - corner.x;
    const rows = Math.max(...ys) + 1 + AROUND - corner.y;
    const squares = tiles.map(({ tile, cell }) => ({ colour: paintOf(tile), x: (cell.x - corner.x) * CELL_PX, y: (cell.y - corner.y) * CELL_PX }));
    const base64 = await this.page.evaluate(
      async ({ width, height, cloth, squares, side }) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext("2d")!;
        context.fillStyle = `rgb(${cloth})`;
        context.fillRect(0, 0, width, height);
        for (const { colour, x, y } of squares) {
          context.fillStyle = `rgb(${colour})`;
          context.fillRect(x, y, side, side);
        }
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 })).arrayBuffer());
        return btoa(String.fromCharCode(...bytes));
      },
      { width: columns * CELL_PX, height: rows * CELL_PX, cloth: CLOTH.join(), squares, side: CELL_PX },
    );
    return { jpeg: new Uint8Array(Buffer.from(base64, "base64")), corner, columns, rows };
  }
}
