import { SegmentKind } from "../gen/tilewarden/v1/game_pb";
import type { SegmentDefinition } from "../gen/tilewarden/v1/tiles_pb";
import { isField, withBorder, withHalfEdge, withMark, withNewField, withoutSegment, withSpot, type Draft } from "../model/tile_draft";
import type { Texts } from "../texts/texts";
import { useTexts } from "../texts/texts";
import { featureName } from "./words";

interface ListProps {
  draft: Draft;
  chosen: number | undefined;
  onChoose: (segment: number | undefined) => void;
  onChange: (draft: Draft) => void;
}

const SIDE_NAMES = ["side.north", "side.east", "side.south", "side.west"] as const;
const ROAD_ENDS = ["village", "bushes", "monastery", "city", "temple", "inside"] as const;
const GOODS = ["", "wine", "grain", "cloth"] as const;
const RIVER_ROLES = ["", "source", "lake", "fork"] as const;

const sidesWords = (texts: Texts, sides: readonly number[]): string => sides.map((side) => texts.say(SIDE_NAMES[side as 0 | 1 | 2 | 3])).join(", ");

// Sides by the half-edges a field touches there.
const touched = (halves: readonly number[]): number[] => [...new Set(halves.map((half) => half >> 1))];

function segmentWords(texts: Texts, segment: SegmentDefinition): string {
  const sides = isField(segment) ? touched(segment.halfEdges) : segment.sides;
  const where = sidesWords(texts, sides);
  return where ? texts.named(featureName(texts, segment.kind), where) : featureName(texts, segment.kind);
}

// Every part of a tile; of the chosen one, what lies on it.
export function SegmentList({ draft, chosen, onChoose, onChange }: ListProps) {
  const texts = useTexts();
  const { segments } = draft.definition;
  return (
    <div class="segments" role="group" aria-label={texts.say("tiles.parts")}>
      {segments.map((segment, i) => (
        <div key={i} class={`segment${i === chosen ? " chosen" : ""}`} data-segment={i}>
          <button type="button" class="segment-name" aria-expanded={i === chosen} onClick={() => onChoose(i === chosen ? undefined : i)}>
            {segmentWords(texts, segment)}
          </button>
          {i === chosen && <Marks draft={draft} index={i} segment={segment} onChange={onChange} />}
        </div>
      ))}
      {!draft.drawFields && (
        <button type="button" class="wide-button quiet" onClick={() => onChange(withNewField(draft))}>{texts.say("tiles.fields.new")}</button>
      )}
    </div>
  );
}

interface MarksProps {
  draft: Draft;
  index: number;
  segment: SegmentDefinition;
  onChange: (draft: Draft) => void;
}

function Marks({ draft, index, segment, onChange }: MarksProps) {
  const texts = useTexts();
  const mark = (change: Partial<SegmentDefinition>) => onChange(withMark(draft, index, change));
  return (
    <div class="marks">
      {segment.kind === SegmentKind.CITY && (
        <>
          <Count name="arms" value={segment.coatsOfArms} most={4} onChange={(coatsOfArms) => mark({ coatsOfArms })} />
          <Count name="scrolls" value={segment.scrolls} most={4} onChange={(scrolls) => mark({ scrolls })} />
          <Tick name="cathedral" value={segment.cathedral} onChange={(cathedral) => mark({ cathedral })} />
          <Choice name="goods" value={segment.goods} values={GOODS} onChange={(goods) => mark({ goods })} />
        </>
      )}
      {segment.kind === SegmentKind.ROAD && (
        <>
          {segment.sides.length === 1 && (
            <Choice name="end" value={segment.roadEnd} values={ROAD_ENDS} onChange={(roadEnd) => mark({ roadEnd })} />
          )}
          <Tick name="inn" value={segment.inn} onChange={(inn) => mark({ inn })} />
          <Count name="oases" value={segment.oases} most={4} onChange={(oases) => mark({ oases })} />
        </>
      )}
      {segment.kind === SegmentKind.RIVER && (
        <>
          <Choice name="role" value={segment.riverRole} values={RIVER_ROLES} onChange={(riverRole) => mark({ riverRole })} />
          <Tick name="volcano" value={segment.volcano} onChange={(volcano) => mark({ volcano })} />
        </>
      )}
      {isField(segment) && (
        <>
          {!draft.drawFields && <FieldByHand draft={draft} index={index} segment={segment} onChange={onChange} />}
          <Count name="sheep" value={segment.sheep} most={9} onChange={(sheep) => mark({ sheep })} />
          <Count name="wolves" value={segment.wolves} most={9} onChange={(wolves) => mark({ wolves })} />
          <Tick name="pigs" value={segment.pigHerd} onChange={(pigHerd) => mark({ pigHerd })} />
        </>
      )}
      {segment.kind !== SegmentKind.RIVER && (
        <p class="note">
          {texts.say(segment.spot ? "tiles.spot.own" : "tiles.spot.found")}{" "}
          {segment.spot && <button type="button" class="option" onClick={() => onChange(withSpot(draft, index, undefined))}>{texts.say("tiles.spot.reset")}</button>}
        </p>
      )}
    </div>
  );
}

// Which half-edges it touches, and which cities it borders.
function FieldByHand({ draft, index, segment, onChange }: MarksProps) {
  const texts = useTexts();
  const cities = draft.definition.segments.flatMap((other, i) => (other.kind === SegmentKind.CITY ? [i] : []));
  return (
    <>
      <div class="options" role="group" aria-label={texts.say("tiles.half-edges")}>
        {Array.from({ length: 8 }, (_, half) => (
          <button key={half} type="button" class="option" aria-pressed={segment.halfEdges.includes(half)} data-half={half} onClick={() => onChange(withHalfEdge(draft, index, half))}>
            {texts.say("tiles.half-edge", { side: texts.say(SIDE_NAMES[(half >> 1) as 0 | 1 | 2 | 3]), half: (half % 2) + 1 })}
          </button>
        ))}
      </div>
      {cities.map((city) => (
        <label key={city} class="setting" data-border={city}>
          <span>{texts.say("tiles.borders", { city: segmentWords(texts, draft.definition.segments[city]!) })}</span>
          <input type="checkbox" checked={segment.borders.includes(city)} onChange={() => onChange(withBorder(draft, index, city))} />
        </label>
      ))}
      <button type="button" class="wide-button quiet" onClick={() => onChange(withoutSegment(draft, index))}>{texts.say("tiles.fields.remove")}</button>
    </>
  );
}

type MarkName = "arms" | "scrolls" | "inn" | "oases" | "volcano" | "sheep" | "wolves" | "pigs" | "cathedral" | "goods" | "end" | "role";

function Count({ name, value, most, onChange }: { name: MarkName; value: number; most: number; onChange: (value: number) => void }) {
  const texts = useTexts();
  return (
    <label class="setting" data-mark={name}>
      <span>{texts.say(`tiles.mark.${name}`)}</span>
      <input type="number" min={0} max={most} value={value} onInput={(e) => onChange(Math.max(0, Math.trunc(Number(e.currentTarget.value)) || 0))} />
    </label>
  );
}

function Tick({ name, value, onChange }: { name: MarkName; value: boolean; onChange: (value: boolean) => void }) {
  const texts = useTexts();
  return (
    <label class="setting" data-mark={name}>
      <span>{texts.say(`tiles.mark.${name}`)}</span>
      <input type="checkbox" checked={value} onChange={(e) => onChange(e.currentTarget.checked)} />
    </label>
  );
}

function Choice({ name, value, values, onChange }: { name: "goods" | "end" | "role"; value: string; values: readonly string[]; onChange: (value: string) => void }) {
  const texts = useTexts();
  return (
    <label class="setting" data-mark={name}>
      <span>{texts.say(`tiles.mark.${name}`)}</span>
      <select value={value} onChange={(e) => onChange(e.currentTarget.value)}>
        {!values.includes(value) && <option value={value}>{value || "–"}</option>}
        {values.map((word) => (
          <option key={word} value={word}>{texts.ruleWord(`tiles.${name}`, word || "none")}</option>
        ))}
      </select>
    </label>
  );
}
