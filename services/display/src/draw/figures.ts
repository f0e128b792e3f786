// The wooden figures as they look from the front: feet at (0, 0), about 34 high.
import { FigureKind } from "../gen/tilewarden/v1/game_pb";

export interface FigureShape {
  readonly outline: string;
  // Lines and small shapes on it.
  readonly lines?: string;
  readonly dots?: string;
  // Where the player's symbol is drawn, and how large; none: it belongs to nobody.
  readonly symbol?: { readonly y: number; readonly scale: number };
  // Class of a figure that has a colour of its own.
  readonly className?: string;
}

// Absolute commands, every number times that; flags of arcs stay.
const resized = (path: string, by: number): string =>
  path.replace(/A(\S+) (\S+) (\d) (\d) (\d) |(-?\d+(?:\.\d+)?)/g, (_, rx, ry, turn, large, sweep, number) =>
    rx === undefined ? (Number(number) * by).toFixed(1) : `A${Number(rx) * by} ${Number(ry) * by} ${turn} ${large} ${sweep} `,
  );

const mirrored = (path: string): string => path + path.replace(/(-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)/g, (_, x: string, y: string) => `${-Number(x)} ${y}`);

// A cloaked little person.
const CLOAKED =
    "M0 -34A6 6 0 0 1 4.6 -24.2C8.6 -23.4 14.4 -20.8 14.4 -17.6C14.4 -15 11.4 -14.4 8 -14.6" +
    "C8.2 -11 11.8 -6 11.8 -2C11.8 -0.4 11 0 9.6 0L4 0C2.6 0 2.2 -0.8 0 -4.4C-2.2 -0.8 -2.6 0 -4 0" +
    "L-9.6 0C-11 0 -11.8 -0.4 -11.8 -2C-11.8 -6 -8.2 -11 -8 -14.6C-11.4 -14.4 -14.4 -15 -14.4 -17.6" +
    "C-14.4 -20.8 -8.6 -23.4 -4.6 -24.2A6 6 0 0 1 0 -34Z";
const FOLLOWER: FigureShape = { outline: CLOAKED, symbol: { y: -15.6, scale: 4.6 } };

const SHAPES: Partial<Record<FigureKind, FigureShape>> = {
  // A mitre, and a robe to the ground.
  [FigureKind.ABBOT]: {
    outline:
      "M0 -40C3.6 -36.6 6.4 -32.6 5.4 -28.4L4.6 -23.4C9.4 -21.4 13.6 -11 14.2 -1.6C14.3 -0.5 13.6 0 12.4 0L-12.4 0" +
      "C-13.6 0 -14.3 -0.5 -14.2 -1.6C-13.6 -11 -9.4 -21.4 -4.6 -23.4L-5.4 -28.4C-6.4 -32.6 -3.6 -36.6 0 -40Z",
    lines: "M0 -37V-30M-2.6 -34H2.6M-5 -27.6H5",
    symbol: { y: -10.4, scale: 5 },
  },
  // A hood, and a staff that he leans on.
  [FigureKind.PROPHET]: {
    outline:
      "M-3 -34.4A6 6 0 0 1 2.6 -25.6C5.6 -25 7.6 -23.8 9 -22L9 -33C9 -39.4 17.4 -39.4 17.4 -33L14.4 -33C14.4 -35.6 12.2 -35.6 12.2 -33" +
      "L12.2 -0.8C12.2 -0.2 11.8 0 11.2 0L10 0C9.4 0 9 -0.2 9 -0.8L9 -13.6L7.4 -14.4C7.8 -10 9 -4.6 8.6 -1.4C8.4 -0.4 7.8 0 6.8 0L-11.6 0" +
      "C-12.8 0 -13.4 -0.6 -13.2 -1.8C-12.4 -9 -11.4 -17.6 -9.4 -22C-8.8 -23.6 -8 -24.6 -6.8 -25.2A6 6 0 0 1 -3 -34.4Z",
    symbol: { y: -9.6, scale: 4.4 },
  },
  // The chest on its poles, two cherubs on the lid.
  [FigureKind.ARK]: {
    outline:
      "M-14 -20C-12.6 -27 -8.4 -32.6 -2.6 -34C-1.4 -31 -1.2 -27.6 -1 -24.4L1 -24.4C1.2 -27.6 1.4 -31 2.6 -34C8.4 -32.6 12.6 -27 14 -20" +
      "L16 -20L16 -16.4L14.4 -16.4L14.4 -8.6L20 -8.6L20 -5.2L14.4 -5.2L14.4 0L10.4 0L10.4 -3L-10.4 -3L-10.4 0L-14.4 0L-14.4 -5.2L-20 -5.2" +
      "L-20 -8.6L-14.4 -8.6L-14.4 -16.4L-16 -16.4L-16 -20Z",
    lines: "M-14.4 -16.4H14.4M-14.4 -8.6H14.4M-14.4 -5.2H14.4M-10.4 -20.6C-8.4 -25 -6 -28 -3.6 -29.4M10.4 -20.6C8.4 -25 6 -28 3.6 -29.4",
    className: "figure-ark",
  },
  // A biscuit, arms and legs apart, with icing.
  [FigureKind.GINGERBREAD_MAN]: {
    outline:
      "M0 -38A7.6 7.6 0 0 1 5.2 -24.8C8 -24.8 11 -25.6 13.4 -26.4A4 4 0 0 1 15.4 -18.8C12.2 -17.6 9.4 -16.8 7 -16.4C7.4 -12 9.6 -7.4 12.4 -4" +
      "A4 4 0 0 1 6.2 0.8C3.6 -2.2 1.6 -5.4 0 -8.6C-1.6 -5.4 -3.6 -2.2 -6.2 0.8A4 4 0 0 1 -12.4 -4C-9.6 -7.4 -7.4 -12 -7 -16.4" +
      "C-9.4 -16.8 -12.2 -17.6 -15.4 -18.8A4 4 0 0 1 -13.4 -26.4C-11 -25.6 -8 -24.8 -5.2 -24.8A7.6 7.6 0 0 1 0 -38Z",
    lines: mirrored("M11.4 -25.4L12.8 -18.4M6.2 -6.6L10.6 -9.4") + "M-3 -28.4C-1.6 -26.6 1.6 -26.6 3 -28.4",
    dots: "M-2.6 -32.8a1.3 1.3 0 1 0 0.1 0ZM2.6 -32.8a1.3 1.3 0 1 0 0.1 0ZM0 -23a1.5 1.5 0 1 0 0.1 0ZM0 -18a1.5 1.5 0 1 0 0.1 0ZM0 -13a1.5 1.5 0 1 0 0.1 0Z",
    className: "figure-gingerbread",
  },
  // The same as a follower, half a head taller, with a belt.
  [FigureKind.LARGE_FOLLOWER]: {
    outline: resized(CLOAKED, 1.2),
    lines: "M-10 -14.2H10",
    symbol: { y: -20, scale: 4.8 },
  },
  // A hat with a brim, and a hammer.
  [FigureKind.BUILDER]: {
    outline:
      "M-7.6 -28.4L-7.6 -30.2L-4.6 -30.2C-4.6 -37 4.6 -37 4.6 -30.2L7.6 -30.2L7.6 -28.4L5 -28.4C5.4 -25.6 3.8 -24 3.4 -23.6L10.6 -21" +
      "L14.6 -10.4L11 -9L8 -15L9 0L2.4 0L0 -9L-2.4 0L-9 0L-8 -15L-11 -9L-14.6 -10.4L-10.6 -21L-3.4 -23.6C-3.8 -24 -5.4 -25.6 -5 -28.4Z" +
      "M11.4 -22L18.6 -22L18.6 -17L16.4 -17L16.4 -3L13.8 -3L13.8 -17L11.4 -17Z",
    lines: "M-5 -28.4H5M-8.3 -11.6H8.3",
    symbol: { y: -17.4, scale: 3.8 },
  },
  // From the side, its snout to the right.
  [FigureKind.PIG]: {
    outline:
      "M-13 -11C-13 -17 -7 -19.6 0 -19.6C3.6 -19.6 6.4 -19 8.4 -17.8L10.6 -21.4L13 -16.4C14.2 -15.2 14.8 -13.8 15 -12.6L18 -12.2L18 -7.6" +
      "L14.2 -7.2C12.8 -5.4 10.8 -4.4 9.4 -4L9.4 0L4.8 0L4.4 -3.2L-5 -3.2L-5.4 0L-10 0L-10.6 -4.6C-12.2 -6 -13 -8.2 -13 -11Z",
    lines: "M-12.8 -12C-16 -12 -17.6 -15 -15.4 -16.6M16 -10.6V-9",
    dots: "M10.8 -14.4a1.1 1.1 0 1 0 0.1 0Z",
    symbol: { y: -11.4, scale: 4.6 },
  },
};

export const shapeOf = (kind: FigureKind | undefined): FigureShape => SHAPES[kind ?? FigureKind.FOLLOWER] ?? FOLLOWER;
