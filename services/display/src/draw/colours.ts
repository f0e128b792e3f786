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
