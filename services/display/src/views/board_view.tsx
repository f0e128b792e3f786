import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board/board";
import type { CameraPicture } from "../board/camera_picture";
import type { Lit, Place } from "../board/marks";
import { glowOf } from "../draw/glow";
import { GamePhase, SegmentKind, type Finding, type Question, type ScoreItem } from "../gen/tilewarden/v1/game_pb";
import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useAside } from "../live/use_aside";
import { useEvidence } from "../live/use_evidence";
import type { TileTypes } from "../live/use_game";
import { fedBy, type Fed } from "../model/farms";
import { featureAt, type Feature } from "../model/features";
import { sameCell, type XY } from "../model/grid";
import { duringFinalScoring, finalItems } from "../model/history";
import { kindOf } from "../model/sheet";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";
import { ByHandPanel, isByHand, useByHand } from "./by_hand";
import { CallReferee, useHallAround } from "./call";
import { CameraBlend } from "./camera/camera_blend";
import { FeatureCard } from "./feature_card";
import { Final } from "./final";
import { FindingBanner, foremost, litBy } from "./findings";
import { lazy } from "./lazy";
import { Players } from "./players";
import { Points } from "./points";
import { litByQuestion, QuestionCard } from "./questions";
import { aboutWords, percent, questionWords, signed } from "./words";

const EvidenceLarge = lazy(() => import("./story/story").then((module) => module.EvidenceLarge), "nothing");

// Room for the banner, so that the tile it speaks of is not under it.
const NO_INSETS = { top: 8, right: 8, bottom: 8, left: 8 };
const BANNER_PX = { words: 180, pictures: 205 };
const NARROW_BANNER_PX = { words: 215, pictures: 280 };
// And below, for the slider or a question.
const SLIDER_PX = 70;
const QUESTION_PX = { words: 355, pictures: 355 };
const NARROW_QUESTION_PX = { words: 250, pictures: 350 };
const narrow = matchMedia("(max-width: 700px)");
const insetsOf = (banner: "words" | "pictures" | undefined, question: "words" | "pictures" | undefined, slider: boolean) => ({
  ...NO_INSETS,
  ...(banner && { top: (narrow.matches ? NARROW_BANNER_PX : BANNER_PX)[banner] }),
  ...(slider && { bottom: SLIDER_PX }),
  ...(question && { bottom: (narrow.matches ? NARROW_QUESTION_PX : QUESTION_PX)[question] }),
});

interface Props {
  view: View;
  types: TileTypes;
  // Nothing may be changed from here.
  spectator: boolean;
  // This device is not asked to watch only: who sits at it may call the referee.
  mayCall: boolean;
}

export function BoardView({ view, types, spectator, mayCall }: Props) {
  const texts = useTexts();
  // What is under the finger is asked for anew when the game goes on.
  const [touched, setTouched] = useState<{ cell: XY; point: XY } | undefined>();
  const feature = useMemo(
    () => touched && featureAt(view.tiles, view.figures, types, touched.cell, touched.point),
    [touched, view.tiles, view.figures, types],
  );
  const details = useFeature(view, feature?.places[0]);
  const [chosen, setChosen] = useState<ScoreItem | undefined>();
  const [camera, setCamera] = useState<CameraPicture | undefined>();
  const [step, setStep] = useState<number | undefined>();
  const ended = view.phase === GamePhase.ENDED;
  const finals = useMemo(() => finalItems(view), [view.scoreItems]);
  const stepTo = (to: number | undefined) => {
    setStep(to);
    setChosen(to === undefined ? undefined : finals[to - 1]);
  };
  const shown = ended && step !== undefined ? duringFinalScoring(view, finals, step) : view;
  const finding = foremost(view.findings);
  const [aside, putAside] = useAside(view.gameId);
  const question = finding ? undefined : view.questions.find(({ id }) => !aside.has(id));
  const evidence = useEvidence(view.gameId, finding ? { findingId: finding.id } : question && litByQuestion(question) && { questionId: question.id });
  const looks = evidence ? "pictures" : "words";
  const [enlarged, setEnlarged] = useState<Finding | Question | undefined>();
  // A choice goes when the game goes on.
  useEffect(() => setChosen(undefined), [view.eventNumber]);
  const fed = useMemo(() => chosen && chosen.turn === 0 ? fedBy(chosen, view, types) : undefined, [chosen, types]);
  const lit = useMemo<Lit | undefined>(() => {
    if (chosen && chosen.cells.length > 0) return litFarm(chosen, fed, view, types) ?? litItem(chosen, view, types);
    return (
      litBy(finding) ??
      (feature && { cells: feature.cells, tone: "points", glow: glowOf(feature.places, view.tiles, types) })
    );
  }, [chosen, finding, feature, types]);
  const places = usePlaces(feature && !finding && !chosen ? details : undefined);
  const around = useHallAround(view);
  const hand = useByHand(view, types, !spectator && isByHand(view));
  const touch = (cell: XY, point: XY) => {
    if (hand?.touch(cell)) return;
    const again = feature?.places.some((place) => sameCell(place.cell, cell)) ?? false;
    setTouched(chosen || again ? undefined : { cell, point });
    setChosen(undefined);
  };
  const choose = (item: ScoreItem | undefined) => {
    setTouched(undefined);
    setChosen(item);
  };
  const turn = view.tiles.find((tile) => sameCell(tile.cell, touched?.cell))?.turn ?? 0;
  return (
    <main class="board-view">
      <Board
        view={hand?.shown ?? view}
        types={types}
        lit={lit}
        places={hand && hand.places.length > 0 ? hand.places : places}
        insets={insetsOf(finding && looks, question && looks, camera !== undefined)}
        onTap={touch}
        camera={camera}
      >
        {view.phase === GamePhase.WAITING && !view.byHand && <p class="board-hint">{texts.say("board.lay")}</p>}
        {!view.byHand && <CameraBlend gameId={view.gameId} onPicture={setCamera} />}
        <FindingBanner view={view} spectator={spectator} evidence={evidence} onEnlarge={() => setEnlarged(finding)} />
        {question && (
          <QuestionCard
            key={question.id}
            view={view}
            types={types}
            question={question}
            spectator={spectator}
            evidence={evidence}
            onEnlarge={() => setEnlarged(question)}
            onAside={() => putAside(question.id, true)}
          />
        )}
        {!question && !finding && view.questions.length > 0 && (
          <button type="button" class="question-chip" onClick={() => putAside(view.questions[0]!.id, false)}>
            {texts.count("question.open", view.questions.length)}
          </button>
        )}
        {feature && !finding && !chosen && (
          <FeatureCard
            view={view}
            types={types}
            feature={feature}
            details={details}
            turn={spectator || ended || turn === 0 ? undefined : turn}
            onClose={() => setTouched(undefined)}
          />
        )}
      </Board>
      {/* Outside the board, which takes touches and wheels for its own. */}
      {finding && evidence && isSame(enlarged, finding) && (
        <EvidenceLarge lit={litBy(finding)} words={[texts.finding(finding)]} evidence={evidence} onClose={() => setEnlarged(undefined)} />
      )}
      {question && evidence && isSame(enlarged, question) && (
        <EvidenceLarge
          lit={litByQuestion(question)}
          words={[questionWords(texts, view, question), aboutWords(texts, view, question)]}
          evidence={evidence}
          onClose={() => setEnlarged(undefined)}
        />
      )}
      <aside class="side">
        {ended && <Final view={view} types={types} items={finals} step={step} fed={fed} onStep={stepTo} spectator={spectator} />}
        {hand && <ByHandPanel view={view} types={types} hand={hand} />}
        <Players view={shown} aheadMs={around.aheadMs} />
        {mayCall && <CallReferee view={view} around={around} spectator={spectator} />}
        <Points view={shown} chosen={chosen} onChoose={choose} />
      </aside>
    </main>
  );
}

// The game may have been told anew meanwhile.
const isSame = (one: Finding | Question | undefined, other: Finding | Question): boolean =>
  one !== undefined && one.$typeName === other.$typeName && one.id === other.id;

// A farm in its owner's colour, and each city that it feeds with what it gives.
function litFarm(item: ScoreItem, fed: Fed | undefined, view: View, types: TileTypes): Lit | undefined {
  if (!fed) return undefined;
  const glow = (features: readonly Feature[]) => glowOf(features.flatMap((feature) => feature.places), view.tiles, types);
  return {
    cells: [...fed.farms, ...fed.cities].flatMap((feature) => feature.cells),
    tone: "points",
    glow: glow(fed.farms),
    farmOf: item.colour,
    fed: fed.cities.map((city, i) => ({ glow: glow([city]), at: middleOf(city), label: fed.each ? signed(fed.each) : String(i + 1) })),
  };
}

// On one of its tiles, and there about where the city is.
function middleOf({ places, cells }: Feature): XY {
  const x = cells.reduce((sum, cell) => sum + cell.x, 0) / cells.length;
  const y = cells.reduce((sum, cell) => sum + cell.y, 0) / cells.length;
  const far = (cell: XY) => Math.hypot(cell.x - x, cell.y - y);
  const { cell } = places.reduce((best, place) => (far(place.cell) < far(best.cell) ? place : best));
  return { x: (cell.x + 0.5 + Math.max(-0.3, Math.min(0.3, x - cell.x))) * 100, y: (cell.y + 0.5 + Math.max(-0.3, Math.min(0.3, y - cell.y))) * 100 };
}

// Where points come from: the feature itself while its figure still stands there, or else its tiles.
function litItem(item: ScoreItem, view: View, types: TileTypes): Lit {
  const figure = view.figures.find(
    (f) => f.colour === item.colour && KIND_OF_FEATURE[f.feature] === kindOf(item) && item.cells.some((cell) => sameCell(cell, f.cell)),
  );
  const feature = figure?.cell && figure.spot && featureAt(view.tiles, view.figures, types, figure.cell, figure.spot);
  if (item.turn > 0 || !feature || feature.kind !== figure.feature) return { cells: item.cells, tone: "points" };
  return { cells: item.cells, tone: "points", glow: glowOf(feature.places, view.tiles, types) };
}

const KIND_OF_FEATURE: Partial<Record<SegmentKind, string>> = {
  [SegmentKind.CITY]: "city",
  [SegmentKind.ROAD]: "road",
  [SegmentKind.FIELD]: "field",
  [SegmentKind.MONASTERY]: "monastery",
  [SegmentKind.GARDEN]: "garden",
};

// The engine service's word on a feature, asked for anew when the game goes on.
function useFeature(view: View, place: { readonly cell: XY; readonly segment: number } | undefined) {
  const { query } = useServices();
  const { value } = useAnswer(
    place && ((signal) => query.describeFeature({ gameId: view.gameId, ...place }, { signal })),
    [view.gameId, view.eventNumber, place?.cell.x, place?.cell.y, place?.segment],
  );
  return place && value;
}

const NO_PLACES: readonly Place[] = [];

// Where the feature would go on, with the chance that this round brings a tile
// for it; fields go on nearly everywhere.
function usePlaces(details: ReturnType<typeof useFeature>): readonly Place[] {
  const texts = useTexts();
  return useMemo(() => {
    if (!details || details.complete || details.kind === SegmentKind.FIELD) return NO_PLACES;
    return details.openCells.flatMap(({ cell, fitting, chanceRound }) =>
      cell
        ? [{ cell, label: fitting.length > 0 ? percent(texts, chanceRound) : "×", tone: fitting.length > 0 ? "open" : "dead" } as const]
        : [],
    );
  }, [details, texts]);
}
