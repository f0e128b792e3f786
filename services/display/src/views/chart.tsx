import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { lookOf } from "../draw/colours";
import { apart, scoreCurves, sideBySide } from "../model/history";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

const LEFT = 34;
const RIGHT = 22;
const TOP = 12;
const BOTTOM = 26;
// Of a line, and of the mark at its end: who has as many points lies beside, not under.
const LINE_PX = 4;
const MARK_PX = 19;

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
  const beside = sideBySide(curves.map(({ points }) => points)).map((offsets, i) => offsets.map((offset, step) => y(curves[i]?.points[step] ?? 0) + offset * LINE_PX));
  const ends = apart(beside.map((curve) => curve[curve.length - 1] ?? 0), MARK_PX, TOP, height - BOTTOM);
  const told = view.players.map((p) => `${texts.player(p)} ${p.score}`).join(", ");
  return (
    <figure class="chart" ref={frame}>
      <figcaption aria-hidden="true">{texts.say("timeline.chart")}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={texts.named(texts.say("timeline.chart"), told)}>
        {ticks.map((points) => (
          <g key={points}>
            <path class="chart-grid" d={`M${LEFT} ${y(points)}H${width - RIGHT}`} />
            <text class="chart-number" x={LEFT - 6} y={y(points) + 4} text-anchor="end">{points}</text>
          </g>
        ))}
        {at !== undefined && <path class="chart-at" d={`M${x(Math.min(at, steps))} ${TOP}V${height - BOTTOM}`} />}
        {curves.map(({ colour }, i) => {
          const d = stairs(beside[i] ?? [], x);
          return (
            <g key={colour} class={lookOf(colour).className}>
              <path class="chart-rim" d={d} />
              <path class="chart-line" d={d} />
              <g data-end={colour} transform={`translate(${x(steps)} ${ends[i]})`}>
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
function stairs(ys: readonly number[], x: (step: number) => number): string {
  let d = "";
  ys.forEach((y, i) => {
    if (i === 0) d = `M${x(0).toFixed(1)} ${y.toFixed(1)}`;
    else if (y !== ys[i - 1] || i === ys.length - 1) d += `H${x(i).toFixed(1)}V${y.toFixed(1)}`;
  });
  return d;
}
