import { useEffect, useMemo, useState } from "preact/hooks";
import { Board, type Lit } from "./board/board";
import { GamePhase, type ScoreItem } from "./gen/tilewarden/v1/game_pb";
import type { GameClient } from "./live/client";
import { useGame, useTileTypes, type LiveGame, type TileTypes } from "./live/use_game";
import { useChime } from "./live/use_chime";
import { useGames } from "./live/use_games";
import { featureAt } from "./model/features";
import { sameCell, type XY } from "./model/grid";
import { duringFinalScoring } from "./model/history";
import type { View } from "./model/view";
import { parseRoute, type Route } from "./route";
import { applySettings, keepSettings, readSettings, type Settings } from "./settings";
import { englishTexts, preferredLanguage, readTexts, TextsProvider, useTexts } from "./texts/texts";
import { Announcer } from "./views/announcer";
import { FeatureCard } from "./views/feature_card";
import { FindingBanner, foremost, litBy } from "./views/findings";
import { Final } from "./views/final";
import { Header } from "./views/header";
import { Overlay } from "./views/overlay";
import { Players } from "./views/players";
import { Points } from "./views/points";
import { Scores } from "./views/scores";
import { Tables } from "./views/tables";
import { Timeline } from "./views/timeline";
import { SettingsPanel } from "./views/settings_panel";

export function App({ client }: { client: GameClient }) {
  const [settings, setSettings] = useSettings();
  const texts = useLanguage(settings.language);
  const route = useRoute();
  const [next, setNext] = useState("");
  const game = useGame(client, route.gameId || next);
  useNextGame(client, route.gameId ? undefined : game.view, setNext);
  const types = useTileTypes(client, game.view?.tileSet);
  const [settingsOpen, setSettingsOpen] = useState(false);
  useEffect(() => void (document.documentElement.dataset["view"] = route.view), [route.view]);
  useChime(settings.sound, game.view);
  return (
    <TextsProvider value={texts}>
      <div class={`page page-${route.view}`}>
        {route.view !== "overlay" && <Header route={route} game={game} onSettings={() => setSettingsOpen(true)} />}
        <Body client={client} route={route} game={game} types={types} />
        {game.view && <Announcer view={game.view} />}
      </div>
      {settingsOpen && (
        <SettingsPanel settings={settings} onChange={setSettings} onClose={() => setSettingsOpen(false)} />
      )}
    </TextsProvider>
  );
}

interface BodyProps {
  client: GameClient;
  route: Route;
  game: LiveGame;
  types: TileTypes;
}

function Body({ client, route, game, types }: BodyProps) {
  const { view } = game;
  if (route.view === "tables") return <Tables client={client} gameId={view?.gameId} />;
  if (!view) return route.view === "overlay" ? null : <NoGame game={game} />;
  switch (route.view) {
    case "scores":
      return <Scores view={view} types={types} />;
    case "timeline":
      return <Timeline key={view.gameId} client={client} view={view} types={types} />;
    case "overlay":
      return <Overlay view={view} layout={new URLSearchParams(location.search).get("layout") === "column" ? "column" : "row"} />;
    case "board":
      return <BoardView key={view.gameId} client={client} view={view} types={types} />;
  }
}

// Without a game in the address: once the one shown has ended, the next one.
function useNextGame(client: GameClient, view: View | undefined, follow: (gameId: string) => void): void {
  const over = view?.phase === GamePhase.ENDED;
  const { games } = useGames(client, over);
  const latest = games?.[0];
  useEffect(() => {
    if (over && latest && latest.gameId !== view?.gameId && latest.phase !== GamePhase.ENDED) follow(latest.gameId);
  }, [over, latest, view?.gameId]);
}

function NoGame({ game }: { game: LiveGame }) {
  const texts = useTexts();
  return (
    <main class="no-game">
      <svg viewBox="-60 -60 120 120" aria-hidden="true">
        <rect x="-50" y="-50" width="100" height="100" rx="8" />
      </svg>
      {game.link === "absent" ? (
        <>
          <h1>{texts.say("game.none")}</h1>
          <p>{texts.say("game.none.more")}</p>
        </>
      ) : (
        <h1>{texts.say("game.connecting")}</h1>
      )}
    </main>
  );
}

// Room for the banner, so that the tile it speaks of is not under it.
const NO_INSETS = { top: 8, right: 8, bottom: 8, left: 8 };
const BANNER_INSETS = { ...NO_INSETS, top: 128 };
const NARROW_BANNER_INSETS = { ...NO_INSETS, top: 160 };
const narrow = matchMedia("(max-width: 700px)");

function BoardView({ client, view, types }: { client: GameClient; view: View; types: TileTypes }) {
  // What is under the finger is asked for anew when the game goes on.
  const [touched, setTouched] = useState<{ cell: XY; point: XY } | undefined>();
  const feature = useMemo(
    () => touched && featureAt(view.tiles, view.figures, types, touched.cell, touched.point),
    [touched, view.tiles, view.figures, types],
  );
  const [chosen, setChosen] = useState<ScoreItem | undefined>();
  const [step, setStep] = useState<number | undefined>();
  const ended = view.phase === GamePhase.ENDED;
  const finals = view.scoreItems.filter((item) => item.turn === 0 && item.points !== 0);
  const stepTo = (to: number | undefined) => {
    setStep(to);
    setChosen(to === undefined ? undefined : finals[to - 1]);
  };
  const shown = ended && step !== undefined ? duringFinalScoring(view, finals, step) : view;
  const finding = foremost(view.findings);
  // A choice goes when the game goes on.
  useEffect(() => setChosen(undefined), [view.eventNumber]);
  const lit = useMemo<Lit | undefined>(
    () => {
      if (chosen && chosen.cells.length > 0) return { cells: chosen.cells, tone: "points" };
      return litBy(finding) ?? (feature && { cells: feature.cells, tone: "points" });
    },
    [chosen, finding, feature],
  );
  const touch = (cell: XY, point: XY) => {
    const again = feature?.cells.some((lit) => sameCell(lit, cell)) ?? false;
    setTouched(chosen || again ? undefined : { cell, point });
    setChosen(undefined);
  };
  const choose = (item: ScoreItem | undefined) => {
    setTouched(undefined);
    setChosen(item);
  };
  return (
    <main class="board-view">
      <Board
        view={view}
        types={types}
        lit={lit}
        insets={!finding ? NO_INSETS : narrow.matches ? NARROW_BANNER_INSETS : BANNER_INSETS}
        onTap={touch}
      >
        <FindingBanner view={view} />
        {feature && !finding && !chosen && (
          <FeatureCard client={client} view={view} feature={feature} onClose={() => setTouched(undefined)} />
        )}
      </Board>
      <aside class="side">
        {ended && <Final view={view} step={step} onStep={stepTo} />}
        <Players view={shown} />
        <Points view={view} chosen={chosen} onChoose={choose} />
      </aside>
    </main>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const changed = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

function useSettings(): [Settings, (settings: Settings) => void] {
  const [settings, setSettings] = useState(() => readSettings(localStorageOrNone(), new URLSearchParams(location.search)));
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => applySettings(document.documentElement, settings, dark.matches);
    apply();
    dark.addEventListener("change", apply);
    return () => dark.removeEventListener("change", apply);
  }, [settings]);
  return [
    settings,
    (changed) => {
      keepSettings(localStorageOrNone(), changed);
      setSettings(changed);
    },
  ];
}

function localStorageOrNone(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

function useLanguage(chosen: string) {
  const [texts, setTexts] = useState(englishTexts);
  useEffect(() => {
    let current = true;
    void readTexts(chosen || preferredLanguage(navigator.languages)).then((read) => {
      if (!current) return;
      document.documentElement.lang = read.language;
      setTexts(read);
    });
    return () => {
      current = false;
    };
  }, [chosen]);
  return texts;
}
