import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { lookOf } from "../draw/colours";
import { scoreCurves } from "../model/history";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

const LEFT = 34;
const RIGHT = 22;
const TOP = 12;
const BOTTOM = 26;

// Everybody's points over the turns; `at` marks a turn. Drawn at the width that
// there is, so that its numbers stay readable.
export function ScoreChart({ view, at }: { view: View; at?: number }) {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || element.clientWidth === 0) return;
    const sizes = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  const height = width < 420 ? 190 : 230;
  const texts = useTexts();
  const curves = scoreCurves(view.players, view.scoreItems, Math.max(view.turn, 1));
  const steps = Math.max(1, (curves[0]?.points.length ?? 2) - 1);
  const most = Math.max(10, ...curves.flatMap(({ points }) => points));
  const tick = most > 80 ? 20 : most > 30 ? 10 : 5;
  const top = Math.ceil(most / tick) * tick;
  const x = (step: number) => LEFT + (step / steps) * (width - LEFT - RIGHT);
  const y = (points: number) => height - BOTTOM - (points / top) * (height - TOP - BOTTOM);
  const ticks = Array.from({ length: top / tick + 1 }, (_, i) => i * tick);
  const told = view.players.map((p) => `${texts.player(p)} ${p.score}`).join(", ");
  return (
    <figure class="chart" ref={frame}>
      <figcaption aria-hidden="true">{texts.say("timeline.chart")}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${texts.say("timeline.chart")}: ${told}`}>
        {ticks.map((points) => (
          <g key={points}>
            <path class="chart-grid" d={`M${LEFT} ${y(points)}H${width - RIGHT}`} />
            <text class="chart-number" x={LEFT - 6} y={y(points) + 4} text-anchor="end">{points}</text>
          </g>
        ))}
        {at !== undefined && <path class="chart-at" d={`M${x(Math.min(at, steps))} ${TOP}V${height - BOTTOM}`} />}
        {curves.map(({ colour, points }) => {
          const end = points[points.length - 1] ?? 0;
          return (
            <g key={colour} class={lookOf(colour).className}>
              <path class="chart-rim" d={stairs(points, x, y)} />
              <path class="chart-line" d={stairs(points, x, y)} />
              <g transform={`translate(${x(points.length - 1)} ${y(end)})`}>
                <circle class="chart-end" r="9" />
                <path class="mark-symbol" d={lookOf(colour).symbol} transform="scale(4.6)" />
              </g>
            </g>
          );
        })}
        <text class="chart-number" x={LEFT} y={height - 6}>0</text>
        <text class="chart-number" x={width - RIGHT} y={height - 6} text-anchor="end">{texts.say("game.turn", { turn: view.turn })}</text>
      </svg>
    </figure>
  );
}

// Points come at once, not by and by.
function stairs(points: readonly number[], x: (step: number) => number, y: (points: number) => number): string {
  let d = "";
  points.forEach((value, i) => {
    if (i === 0) d = `M${x(0).toFixed(1)} ${y(value).toFixed(1)}`;
    else if (value !== points[i - 1] || i === points.length - 1) d += `H${x(i).toFixed(1)}V${y(value).toFixed(1)}`;
  });
  return d;
}
