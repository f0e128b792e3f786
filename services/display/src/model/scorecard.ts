// The scorecard: where each line of the picture goes, in its pixels. Sized for a phone held upright,
// on which 36 of them are a letter of 13 points. Pure.
import type { Bounds } from "./grid";

export const CARD_WIDTH = 1080;
const MARGIN = 48;
const INNER = CARD_WIDTH - 2 * MARGIN;
const RANK_HEIGHT = 112;
const RANK_GAP = 14;
const ROW_HEIGHT = 66;
const BOARD_LEAST = 420;
// Of the board, around its tiles; a cell has 100.
const BOARD_EDGE = 14;

export interface CardFacts {
  readonly title: string;
  // When, and what else fits one line.
  readonly facts: string;
  // Best first.
  readonly players: readonly { readonly colour: string; readonly name: string; readonly score: number }[];
  // Points by what they were for, in the players' order.
  readonly rows: readonly { readonly label: string; readonly points: readonly number[] }[];
  readonly bounds: Bounds | undefined;
}

export interface Line {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Card {
  readonly height: number;
  readonly title: Line;
  readonly facts: Line;
  readonly ranks: readonly { readonly colour: string; readonly place: number; readonly box: Box; readonly name: Line; readonly score: number }[];
  readonly table: Box;
  // In whose column, by the middle of it.
  readonly columns: readonly { readonly colour: string; readonly x: number; readonly y: number }[];
  readonly rows: readonly { readonly label: Line; readonly points: readonly { readonly text: string; readonly x: number; readonly y: number }[] }[];
  readonly board: Box;
  readonly viewBox: string;
}

export function cardOf({ title, facts, players, rows, bounds }: CardFacts): Card {
  let y = 34;
  const titleLine = fitted(title, INNER, 64, 40, MARGIN, y + 62);
  const factsLine = fitted(facts, INNER, 36, 28, MARGIN, y + 116);
  y += 150;
  const ranks = players.map(({ colour, name, score }) => {
    const box = { x: MARGIN, y, width: INNER, height: RANK_HEIGHT };
    y += RANK_HEIGHT + RANK_GAP;
    return { colour, place: placeOf(score, players), box, name: fitted(name, INNER - 400, 50, 32, MARGIN + 196, box.y + 74), score };
  });
  const table = { x: MARGIN, y: y + 8, width: INNER, height: rows.length > 0 ? 84 + rows.length * ROW_HEIGHT + 10 : 0 };
  const labels = 290;
  const column = (i: number) => MARGIN + labels + ((INNER - labels - 10) * (i + 0.5)) / Math.max(1, players.length);
  const columns = rows.length > 0 ? players.map(({ colour }, i) => ({ colour, x: column(i), y: table.y + 46 })) : [];
  const lines = rows.map(({ label, points }, k) => {
    const base = table.y + 84 + k * ROW_HEIGHT + 46;
    return { label: fitted(label, labels - 30, 38, 26, MARGIN + 26, base), points: points.map((value, i) => ({ text: String(value), x: column(i), y: base })) };
  });
  y = table.y + table.height + (rows.length > 0 ? 22 : 0);
  const { left, top, right, bottom } = bounds ?? { left: 0, top: 0, right: 1, bottom: 1 };
  const width = (right - left) * 100 + 2 * BOARD_EDGE;
  const height = (bottom - top) * 100 + 2 * BOARD_EDGE;
  const board = { x: MARGIN, y, width: INNER, height: Math.round(Math.min(INNER, Math.max(BOARD_LEAST, (INNER * height) / width))) };
  return {
    height: board.y + board.height + MARGIN,
    title: titleLine,
    facts: factsLine,
    ranks,
    table,
    columns,
    rows: lines,
    board,
    viewBox: `${left * 100 - BOARD_EDGE} ${top * 100 - BOARD_EDGE} ${width} ${height}`,
  };
}

// Who has as many points shares the place.
const placeOf = (score: number, all: readonly { readonly score: number }[]): number => 1 + all.filter((other) => other.score > score).length;

// Smaller where the room is short, and cut where even that is not enough.
export function fitted(text: string, room: number, size: number, least: number, x: number, y: number): Line {
  const wide = widthOf(text) * size;
  const fits = wide <= room ? size : Math.max(least, Math.floor((size * room) / wide));
  const letters = [...text];
  let cut = text;
  for (let n = letters.length; n > 1 && widthOf(cut) * fits > room; ) cut = `${letters.slice(0, --n).join("").trimEnd()}…`;
  return { text: cut, size: fits, x, y };
}

// About how wide a text is in the page's letters, in their size; rather too wide. A drawing that
// nobody has measured must fit on every device.
const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[\u1100-\uffef]|[^\u0000-\uffff]/u.test(letter) ? 1.05 : /[mwMWÄÖÜA-Z@%—…]/.test(letter) ? 0.8 : /[iljtf.,:;'’| !]/.test(letter) ? 0.34 : 0.6), 0);
