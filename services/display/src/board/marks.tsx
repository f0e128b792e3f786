// What is drawn over the tiles: the last move, what is lit, findings.
import { lookOf } from "../draw/colours";
import { TileDrawing, variantAt } from "../draw/tile";
import { Severity, type Finding } from "../gen/tilewarden/v1/game_pb";
import type { TileTypes } from "../live/use_game";
import { cellKey, type XY } from "../model/grid";
import type { View } from "../model/view";

export interface Lit {
  readonly cells: readonly XY[];
  readonly tone: "points" | "illegal" | "warning" | "note";
  // The lit feature itself, in the board's coordinates; without it the cells'
  // outline is lit.
  readonly glow?: string;
  // A farm, in its owner's colour, and the cities that it feeds: they light up one after the other.
  readonly farmOf?: string;
  readonly fed?: readonly FedCity[];
}

export interface FedCity {
  readonly glow: string;
  // Where what it gives is written, in the board's coordinates.
  readonly at: XY;
  readonly label: string;
}

// An empty cell with a word on it.
export interface Place {
  readonly cell: XY;
  readonly label: string;
  readonly tone: "open" | "dead" | "chosen";
}

export function LastMove({ view, label }: { view: View; label: string }) {
  const { last } = view;
  if (!last?.tile.cell || last.turn === 0) return null;
  const { x, y } = last.tile.cell;
  // As wide as a tile, or as the word.
  const half = Math.max(55, 18 + 4.1 * label.length);
  return (
    <g class={`last-move ${lookOf(last.tile.colour).className}`} data-last={`${x},${y}`} transform={`translate(${x * 100} ${y * 100})`}>
      <rect class="last-rim" x="-1" y="-1" width="102" height="102" rx="4" />
      <rect class="last-line" x="-1" y="-1" width="102" height="102" rx="4" />
      {last.inferred && (
        <g class="inferred" transform="translate(50 100)">
          <rect x={-half} y="-11" width={2 * half} height="22" rx="11" />
          <text y="4.6" text-anchor="middle">{`? ${label}`}</text>
        </g>
      )}
    </g>
  );
}

// Dims everything but the lit cells.
export function Veil({ lit }: { lit: Lit | undefined }) {
  if (!lit || lit.cells.length === 0 || lit.glow !== undefined) return null;
  const holes = lit.cells.map(({ x, y }) => `M${x * 100} ${y * 100}h100v100h-100Z`).join("");
  return <path class="veil" fill-rule="evenodd" d={`M-20000 -20000H20000V20000H-20000Z${holes}`} />;
}

// A whole feature shines, and everything else steps back.
export function Glow({ lit }: { lit: Lit }) {
  const fed = lit.fed ?? [];
  const owner = lit.farmOf === undefined ? "" : ` lit-farm ${lookOf(lit.farmOf).className}`;
  return (
    <g class={`lit lit-${lit.tone}${owner}`} data-lit={lit.cells.map(cellKey).join(" ")}>
      <path class="veil" fill-rule="evenodd" d={`M-20000 -20000H20000V20000H-20000Z${lit.glow}${fed.map(({ glow }) => glow).join("")}`} />
      <path class="glow-rim" d={lit.glow} />
      <path class="glow" fill-rule="evenodd" d={lit.glow} />
      {fed.map(({ glow }, i) => (
        // By its farm as well: the next farm's city is another, even if it is the same one.
        <g key={`${lit.glow}${i}`} class="fed" style={{ "--nth": i }}>
          <path class="glow-rim" d={glow} />
          <path class="fed-glow" fill-rule="evenodd" d={glow} />
        </g>
      ))}
    </g>
  );
}

// What each city gives, over everything else.
export function FedPoints({ lit }: { lit: Lit | undefined }) {
  return (
    <g>
      {(lit?.fed ?? []).map(({ at, label }, i) => (
        <g key={`${lit?.glow}${i}`} transform={`translate(${at.x} ${at.y})`} data-fed={i}>
          <g class="fed-points" style={{ "--nth": i }}>
            <rect x={-15 - 9 * label.length} y="-24" width={30 + 18 * label.length} height="48" rx="24" />
            <text y="12" text-anchor="middle">{label}</text>
          </g>
        </g>
      ))}
    </g>
  );
}

// An outline around the lit cells together, not around each.
export function LitCells({ lit }: { lit: Lit | undefined }) {
  if (!lit || lit.glow !== undefined) return null;
  const inside = new Set(lit.cells.map(cellKey));
  const edges = lit.cells.flatMap(({ x, y }) => [
    inside.has(cellKey({ x, y: y - 1 })) ? "" : `M${x * 100} ${y * 100}h100`,
    inside.has(cellKey({ x: x + 1, y })) ? "" : `M${x * 100 + 100} ${y * 100}v100`,
    inside.has(cellKey({ x, y: y + 1 })) ? "" : `M${x * 100} ${y * 100 + 100}h100`,
    inside.has(cellKey({ x: x - 1, y })) ? "" : `M${x * 100} ${y * 100}v100`,
  ]);
  return (
    <g class={`lit lit-${lit.tone}`} data-lit={[...inside].join(" ")}>
      <path class="lit-rim" d={edges.join("")} />
      <path class="lit-line" d={edges.join("")} />
    </g>
  );
}

// The tile that the game does not accept, as it lies.
export function FindingTile({ finding, types }: { finding: Finding; types: TileTypes }) {
  const { tile } = finding;
  if (!tile?.cell) return null;
  const { x, y } = tile.cell;
  return (
    <g class={`finding-tile ${finding.severity === Severity.NOTE ? "is-note" : ""}`} data-finding-tile={`${x},${y}`} transform={`translate(${x * 100} ${y * 100})`}>
      <svg class="tile" width="100" height="100" viewBox="0 0 100 100">
        <TileDrawing type={types.get(tile.tile)} rotation={tile.rotation} variant={variantAt(x, y)} />
      </svg>
      <rect class="finding-hatch" width="100" height="100" fill="url(#hatch)" />
      <g transform="translate(50 50)">
        <circle class="finding-badge" r="15" />
        <path class="finding-sign" d="M0 -8V2M0 7.6V8" />
      </g>
    </g>
  );
}

// Empty cells that matter now: where a feature goes on, where a tile may lie.
export function Places({ places }: { places: readonly Place[] }) {
  return (
    <g>
      {places.map(({ cell, label, tone }) => (
        <g key={cellKey(cell)} class={`place place-${tone}`} data-place={cellKey(cell)} transform={`translate(${cell.x * 100} ${cell.y * 100})`}>
          <rect x="5" y="5" width="90" height="90" rx="9" />
          <text x="50" y="60" text-anchor="middle">{label}</text>
        </g>
      ))}
    </g>
  );
}
