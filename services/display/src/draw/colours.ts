// How players are told apart: by colour and, never only by it, by a symbol.

export interface Look {
  // Class suffix; styles/players.css has its colours.
  readonly className: string;
  // Drawn in a box from -1 to 1.
  readonly symbol: string;
}

const SYMBOLS: Record<string, string> = {
  red: "M0 -0.9A0.9 0.9 0 1 1 0 0.9A0.9 0.9 0 1 1 0 -0.9Z",
  blue: "M-0.8 -0.8H0.8V0.8H-0.8Z",
  green: "M0 -0.95L0.98 0.78H-0.98Z",
  yellow:
    "M0 -1L0.26 -0.34L0.96 -0.3L0.42 0.14L0.6 0.82L0 0.44L-0.6 0.82L-0.42 0.14L-0.96 -0.3L-0.26 -0.34Z",
  black: "M-0.32 -0.95H0.32V-0.32H0.95V0.32H0.32V0.95H-0.32V0.32H-0.95V-0.32H-0.32Z",
  pink: "M0 0.9L-0.85 0.05A0.5 0.5 0 0 1 0 -0.5A0.5 0.5 0 0 1 0.85 0.05Z",
  grey: "M-0.9 -0.75H0.9V-0.3H-0.9ZM-0.9 0.3H0.9V0.75H-0.9Z",
};

// For a colour that no box had so far.
const OTHER: Look = { className: "player-other", symbol: "M0 -1L1 0L0 1L-1 0Z" };

export function lookOf(colour: string): Look {
  const symbol = SYMBOLS[colour];
  return symbol ? { className: `player-${colour}`, symbol } : OTHER;
}

// Feet at (0, 0), 34 high, seen from the front: a cloaked little person.
export const FIGURE_PATH =
  "M0 -34A6 6 0 0 1 4.6 -24.2C8.6 -23.4 14.4 -20.8 14.4 -17.6C14.4 -15 11.4 -14.4 8 -14.6" +
  "C8.2 -11 11.8 -6 11.8 -2C11.8 -0.4 11 0 9.6 0L4 0C2.6 0 2.2 -0.8 0 -4.4C-2.2 -0.8 -2.6 0 -4 0" +
  "L-9.6 0C-11 0 -11.8 -0.4 -11.8 -2C-11.8 -6 -8.2 -11 -8 -14.6C-11.4 -14.4 -14.4 -15 -14.4 -17.6" +
  "C-14.4 -20.8 -8.6 -23.4 -4.6 -24.2A6 6 0 0 1 0 -34Z";
