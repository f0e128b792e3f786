import { useRef, useState } from "preact/hooks";
import { lookOf } from "../draw/colours";
import { shapeOf } from "../draw/figures";
import { outlineD } from "../draw/shapes";
import { TileDrawing } from "../draw/tile";
import { SegmentKind, type TileType } from "../gen/tilewarden/v1/game_pb";
import { outlinesOf, segmentAt } from "../model/features";
import type { XY } from "../model/grid";
import { kindAt, MIDDLE, type Draft, type Zone } from "../model/tile_draft";
import { useTexts } from "../texts/texts";
import { PictureLayer, type PictureUnder } from "./tile_picture";
import { featureName } from "./words";

// What a stroke draws: a city, road or river, or a field in place of one.
export type Tool = SegmentKind;

interface Props {
  draft: Draft;
  // The last one that can be.
  drawing: TileType | undefined;
  tool: Tool;
  // The segment whose figure's place is shown.
  segment: number | undefined;
  picture: PictureUnder;
  onLine: (from: Zone, to: Zone) => void;
  onSegment: (segment: number | undefined) => void;
  onSpot: (segment: number, spot: XY) => void;
}

const SIDES = [0, 1, 2, 3] as const;
const SIDE_NAMES = ["side.north", "side.east", "side.south", "side.west"] as const;
// Around the tile's box of 100 x 100 there is room for the sides' buttons.
const ROOM = 20;
const MIDDLES: readonly XY[] = [{ x: 50, y: 0 }, { x: 100, y: 50 }, { x: 50, y: 100 }, { x: 0, y: 50 }];
const onTile = ({ x, y }: XY) => x >= 0 && x <= 1 && y >= 0 && y <= 1;

// The tile, large: lines are drawn from side to side with a finger, or by choosing
// one side and then the other.
export function TileCanvas({ draft, drawing, tool, segment, picture, onLine, onSegment, onSpot }: Props) {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const [armed, setArmed] = useState<0 | 1 | 2 | 3 | undefined>();
  const [stroke, setStroke] = useState<{ readonly from: 0 | 1 | 2 | 3; readonly tip: XY } | undefined>();
  // A finger came from another side: its click means nothing more.
  const dragged = useRef(false);

  const pointOf = (event: { clientX: number; clientY: number }): XY => {
    const box = frame.current!.getBoundingClientRect();
    const scale = (100 + 2 * ROOM) / box.width;
    return { x: ((event.clientX - box.left) * scale - ROOM) / 100, y: ((event.clientY - box.top) * scale - ROOM) / 100 };
  };
  const line = (from: Zone, to: Zone) => {
    setArmed(undefined);
    onLine(from, to);
  };
  const press = (side: 0 | 1 | 2 | 3, event: MouseEvent) => {
    // Keys click without a pointer, and so without detail.
    if (dragged.current && event.detail > 0) return;
    if (tool === SegmentKind.FIELD) line(side, side);
    else if (armed === undefined) setArmed(side);
    else line(armed, side);
  };
  const lift = (side: Zone, event: PointerEvent) => {
    setStroke(undefined);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-zone]")?.dataset["zone"];
    const to = under !== undefined ? (Number(under) as Zone) : onTile(pointOf(event)) ? MIDDLE : side;
    if (to === side) return;
    dragged.current = true;
    line(side, to);
  };
  const from = stroke && MIDDLES[stroke.from];
  return (
    <div class="tile-canvas" ref={frame}>
      <svg
        viewBox={`${-ROOM} ${-ROOM} ${100 + 2 * ROOM} ${100 + 2 * ROOM}`}
        onClick={(event) => {
          const at = pointOf(event);
          if (drawing && onTile(at)) onSegment(segmentAt(drawing, at));
        }}
      >
        <g class="tile" data-drawn={drawing?.id}>
          <svg width="100" height="100" viewBox="0 0 100 100">
            <TileDrawing type={drawing} rotation={0} variant={0} />
          </svg>
        </g>
        <PictureLayer picture={picture} />
        {drawing && <Spots draft={draft} drawing={drawing} segment={segment} pointOf={pointOf} onSpot={onSpot} />}
        {from && <path class="stroke-tip" d={`M${from.x} ${from.y}L${stroke.tip.x * 100} ${stroke.tip.y * 100}`} />}
      </svg>
      {SIDES.map((side) => (
        <button
          key={side}
          type="button"
          class={`zone zone-${side} zone-kind-${kindAt(draft, side)}`}
          aria-pressed={armed === side}
          aria-label={texts.named(texts.say(SIDE_NAMES[side]), featureName(texts, kindAt(draft, side)))}
          data-zone={side}
          onClick={(event) => press(side, event)}
          onPointerDown={(event) => {
            dragged.current = false;
            if (tool === SegmentKind.FIELD || armed !== undefined) return;
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) setStroke({ from: side, tip: pointOf(event) });
          }}
          onPointerUp={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && stroke && lift(side, event)}
          onPointerCancel={() => setStroke(undefined)}
        >
          <span>{featureName(texts, kindAt(draft, side))}</span>
        </button>
      ))}
      <p class="for-listeners" role="status">{armed !== undefined && texts.say("tiles.tool.armed", { side: texts.say(SIDE_NAMES[armed]) })}</p>
    </div>
  );
}

interface SpotsProps {
  draft: Draft;
  drawing: TileType;
  segment: number | undefined;
  pointOf: (event: PointerEvent) => XY;
  onSpot: (segment: number, spot: XY) => void;
}

const STEP = 0.02;
const KEYS: Record<string, XY> = { ArrowLeft: { x: -STEP, y: 0 }, ArrowRight: { x: STEP, y: 0 }, ArrowUp: { x: 0, y: -STEP }, ArrowDown: { x: 0, y: STEP } };

// Where figures stand; the one of the chosen segment can be moved.
function Spots({ draft, drawing, segment, pointOf, onSpot }: SpotsProps) {
  const texts = useTexts();
  const [held, setHeld] = useState<XY | undefined>();
  const chosen = segment === undefined ? undefined : drawing.segments[segment];
  // Also where it cannot stand: that is what the checker speaks of then.
  const rests = draft.definition.segments[segment ?? -1]?.spot ?? chosen?.spot;
  const spot = held ?? rests;
  // From the finger to the figure's place: it does not jump when it is taken.
  const grip = useRef<XY>({ x: 0, y: 0 });
  const under = (event: PointerEvent): XY => {
    const at = pointOf(event);
    return { x: at.x + grip.current.x, y: at.y + grip.current.y };
  };
  const end = (event: PointerEvent) => {
    const at = under(event);
    const moved = held && rests && Math.hypot(at.x - rests.x, at.y - rests.y) > STEP / 2;
    if (moved && segment !== undefined && onTile(at)) onSpot(segment, at);
    setHeld(undefined);
  };
  return (
    <>
      {segment !== undefined && <path class="glow" d={outlinesOf(drawing, segment).map((outline) => outlineD(outline.map(({ x, y }) => ({ x: x * 100, y: y * 100 })))).join("")} />}
      {drawing.segments.map(({ kind, spot: at }, i) => kind !== SegmentKind.RIVER && i !== segment && at && <circle key={i} class="spot-dot" cx={at.x * 100} cy={at.y * 100} r="2.4" />)}
      {chosen && segment !== undefined && spot && chosen.kind !== SegmentKind.RIVER && (
        <g
          class="spot"
          role="button"
          tabindex={0}
          data-spot={segment}
          aria-label={texts.say("tiles.spot.move", { feature: featureName(texts, chosen.kind) })}
          onClick={(event) => event.stopPropagation()}
          onKeyDown={(event) => {
            const by = KEYS[event.key];
            if (!by) return;
            event.preventDefault();
            onSpot(segment, { x: spot.x + by.x, y: spot.y + by.y });
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            const at = pointOf(event);
            grip.current = { x: spot.x - at.x, y: spot.y - at.y };
            setHeld({ x: spot.x, y: spot.y });
          }}
          onPointerMove={(event) => held && setHeld(under(event))}
          onPointerUp={end}
          onPointerCancel={() => setHeld(undefined)}
        >
          <g class={lookOf("").className} transform={`translate(${spot.x * 100} ${spot.y * 100}) scale(0.6)${chosen.kind === SegmentKind.FIELD ? " rotate(-90)" : ""} translate(0 17)`}>
            <path class="figure-rim" d={shapeOf(undefined).outline} />
            <path class="figure-body" d={shapeOf(undefined).outline} />
          </g>
          <circle class="spot-point" cx={spot.x * 100} cy={spot.y * 100} r="2.6" />
        </g>
      )}
    </>
  );
}
