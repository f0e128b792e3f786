import { createClient } from "@connectrpc/connect";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { AccessService, Role } from "./gen/tilewarden/v1/access_pb";
import { GamePhase } from "./gen/tilewarden/v1/game_pb";
import { ServicesProvider, type GameClient, type Services } from "./live/client";
import { useGame, useTileTypes, type LiveGame, type TileTypes } from "./live/use_game";
import { useAnswer } from "./live/use_answer";
import { openOf, useChime } from "./live/use_chime";
import { useGames } from "./live/use_games";
import { useWakeLock } from "./live/use_wake_lock";
import { useWarnings } from "./live/use_warnings";
import type { View } from "./model/view";
import { addressOf, parseRoute, type Route, type ViewName } from "./route";
import { applySettings, keepSettings, localStorageOrNone, readSettings, type Settings } from "./settings";
import { englishTexts, preferredLanguage, readTexts, TextsProvider, useTexts } from "./texts/texts";
import { Alerts } from "./views/alerts";
import { Announcer } from "./views/announcer";
import { BoardView } from "./views/board_view";
import { CameraHealth } from "./views/camera/camera_health";
import { Correct } from "./views/correct";
import { Header } from "./views/header";
import { NewGame } from "./views/new_game";
import { Pair } from "./views/pair";
import { Scores } from "./views/scores";
import { Tables } from "./views/tables";
import { Timeline } from "./views/timeline";
import { lazy } from "./views/lazy";
import { useSpokenPoints } from "./views/spoken";
import { SettingsPanel } from "./views/settings_panel";

const Calibrate = lazy(() => import("./views/camera/calibrate").then((module) => module.Calibrate));
const Enrol = lazy(() => import("./views/camera/enrol").then((module) => module.Enrol));
const Hall = lazy(() => import("./views/hall").then((module) => module.Hall));
const Overlay = lazy(() => import("./views/overlay").then((module) => module.Overlay), "nothing");
const Phone = lazy(() => import("./views/camera/phone").then((module) => module.Phone));
const PlayerList = lazy(() => import("./views/player_list").then((module) => module.PlayerList));
const Replay = lazy(() => import("./views/story/story").then((module) => module.Replay));
const Tiles = lazy(() => import("./views/tiles").then((module) => module.Tiles));

// Views that fill a screen by themselves.
const BARE: readonly ViewName[] = ["overlay", "hall"];
// Views that only those see who may change something.
const CHANGING: readonly ViewName[] = ["correct", "new", "tiles", "enrol", "calibrate"];

export function App({ services }: { services: Services }) {
  const [settings, setSettings] = useSettings();
  const texts = useLanguage(settings.language);
  const route = useRoute();
  const [shut, setShut] = useState(false);
  useEffect(() => services.door.onShut(() => setShut(true)), [services]);
  const enter = (token: string, role: Role) => {
    services.door.keep(token);
    setShut(false);
    if (route.view === "pair") location.replace(role === Role.CAMERA ? "#/phone" : "#/board");
  };
  const code = route.view === "pair" ? route.gameId : "";
  return (
    <ServicesProvider value={services}>
      <TextsProvider value={texts}>
        {shut || code ? (
          <Pair key={code} code={code} onIn={enter} />
        ) : route.view === "phone" ? (
          <Phone />
        ) : (
          <Inside services={services} route={route} settings={settings} onSettings={setSettings} />
        )}
      </TextsProvider>
    </ServicesProvider>
  );
}

interface InsideProps {
  services: Services;
  route: Route;
  settings: Settings;
  onSettings: (settings: Settings) => void;
}

// What a device sees that is let in.
function Inside({ services, route, settings, onSettings }: InsideProps) {
  const { game: client, transport } = services;
  const [next, setNext] = useState("");
  const game = useGame(client, route.gameId || next);
  useNextGame(client, route.gameId ? undefined : game.view, setNext);
  const types = useTileTypes(client, game.view);
  const [settingsOpen, setSettingsOpen] = useState(false);
  useEffect(() => void (document.documentElement.dataset["view"] = route.view), [route.view]);
  // A hall has an ear for all of its tables.
  const inHall = route.view === "hall";
  useChime(settings.sound && !inHall, openOf(game.view?.findings));
  useSpokenPoints(settings.speak, game.view);
  useWakeLock(inHall || game.view?.phase === GamePhase.PLAYING);
  const { value: access } = useAnswer((signal) => createClient(AccessService, transport).getAccess({}, { signal }), []);
  // A phone that was let in as a camera sees nothing else.
  useEffect(() => {
    if (access?.role === Role.CAMERA) location.replace("#/phone");
  }, [access]);
  const spectator = settings.spectator || access?.role === Role.DISPLAY;
  // The list of tables says them itself.
  const warnings = useWarnings(client, !spectator && route.view !== "tables" && !BARE.includes(route.view));
  // Who may only watch sees the board in place of what would change it.
  const shownRoute = spectator && CHANGING.includes(route.view) ? { ...route, view: "board" as const } : route;
  return (
    <>
      <div class={`page page-${route.view}${BARE.includes(route.view) ? " page-bare" : ""}`}>
        {!BARE.includes(route.view) && (
          <div class="page-top">
            <Header route={shownRoute} game={game} spectator={spectator} onSettings={() => setSettingsOpen(true)} />
            <Alerts view={game.view} link={game.link} route={shownRoute} spectator={spectator} warnings={warnings} />
          </div>
        )}
        <Body route={shownRoute} game={game} types={types} mayChange={!spectator} mayCall={!settings.spectator} sound={settings.sound} mayOwn={!access || access.role === Role.ADMIN} />
        {game.view && <Announcer view={game.view} />}
      </div>
      {settingsOpen && (
        <SettingsPanel atTable={route.gameId !== ""} settings={settings} onChange={onSettings} onClose={() => setSettingsOpen(false)} />
      )}
    </>
  );
}

interface BodyProps {
  route: Route;
  game: LiveGame;
  types: TileTypes;
  mayChange: boolean;
  mayCall: boolean;
  sound: boolean;
  // Whether what all tables share may be changed from here.
  mayOwn: boolean;
}

function Body({ route, game, types, mayChange, mayCall, sound, mayOwn }: BodyProps) {
  const { view, link } = game;
  const spectator = !mayChange;
  if (route.view === "tables") return <Tables gameId={view?.gameId} spectator={spectator} mayOwn={mayOwn} />;
  if (route.view === "players") return <PlayerList mayDelete={mayOwn && mayChange} />;
  if (route.view === "hall") return <Hall mayAnswer={mayChange} sound={sound} />;
  if (route.view === "new") return <NewGame />;
  if (route.view === "tiles") return <Tiles view={view} mayOwn={mayOwn} />;
  if (route.view === "enrol") return <Enrol view={view} />;
  if (route.view === "calibrate") return <Calibrate />;
  if (!view) return route.view === "overlay" ? null : <NoGame game={game} gameId={route.gameId} spectator={spectator} />;
  switch (route.view) {
    case "scores":
      return <Scores view={view} types={types} />;
    case "camera":
      return <CameraHealth key={view.gameId} view={view} spectator={spectator} />;
    case "timeline":
      return <Timeline key={view.gameId} view={view} types={types} mayChange={mayChange} />;
    case "replay":
      return <Replay key={view.gameId} view={view} types={types} />;
    case "overlay":
      return <Overlay view={view} />;
    case "correct":
      return <Correct key={view.gameId} view={view} types={types} link={link} detail={route.detail} />;
    default:
      break;
  }
  return <BoardView key={view.gameId} view={view} types={types} spectator={spectator} mayCall={mayCall} />;
}

// Without a game in the address: once the one shown has ended, or while it has not begun, the
// next one.
function useNextGame(client: GameClient, view: View | undefined, follow: (gameId: string) => void): void {
  const over = view?.phase === GamePhase.ENDED || view?.phase === GamePhase.WAITING;
  const { games } = useGames(client, over);
  const latest = games?.[0];
  useEffect(() => {
    if (over && latest && latest.gameId !== view?.gameId && latest.phase !== GamePhase.ENDED) follow(latest.gameId);
  }, [over, latest, view?.gameId]);
}

function NoGame({ game, gameId, spectator }: { game: LiveGame; gameId: string; spectator: boolean }) {
  const texts = useTexts();
  // An address of one game that is not here, or not any more.
  const unknown = gameId !== "" && game.link === "absent";
  return (
    <main class="no-game">
      <svg viewBox="-60 -60 120 120" aria-hidden="true">
        <rect x="-50" y="-50" width="100" height="100" rx="8" />
      </svg>
      {unknown ? (
        <>
          <h1>{texts.say("game.unknown")}</h1>
          <p>{texts.say("game.unknown.more")}</p>
          <a class="wide-button" href={addressOf({ view: "tables", gameId: "" })}>{texts.say("game.unknown.tables")}</a>
        </>
      ) : game.link === "absent" ? (
        <>
          <h1>{texts.say("game.none")}</h1>
          <p>{texts.say("game.none.more")}</p>
          {!spectator && <a class="wide-button" href={addressOf({ view: "new", gameId: "" })}>{texts.say("tables.new")}</a>}
        </>
      ) : (
        <h1>{texts.say("game.connecting")}</h1>
      )}
    </main>
  );
}

function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  // Listens before the page can be seen: a link touched at once counts, too.
  useLayoutEffect(() => {
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
