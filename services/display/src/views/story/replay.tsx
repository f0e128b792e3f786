import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { PlayerMark } from "../../draw/figure";
import { useServices } from "../../live/client";
import type { TileTypes } from "../../live/use_game";
import { useHistory } from "../../live/use_history";
import { restOf, sceneAt, scriptOf, shownScores, type Scene } from "../../model/replay";
import type { View } from "../../model/view";
import { wantsCalm } from "../../settings";
import { useTexts } from "../../texts/texts";
import { Scrubber } from "../scrubber";
import { playerName, signed } from "../words";
import { KeepFilm } from "./keep_film";
import { Race } from "./race";
import { Stage, type Director } from "./stage";
import { sceneTitle, sceneWords } from "./words";

const SPEEDS = [0.5, 1, 2, 4] as const;
// A page that was out of sight goes on where it was.
const LONGEST_FRAME_MS = 100;

// The game as a film, from its first tile to its winner.
export function Replay({ view, types }: { view: View; types: TileTypes }) {
  const texts = useTexts();
  const { game } = useServices();
  const moments = useHistory(game, view);
  const script = useMemo(() => scriptOf(moments), [moments]);
  // Without motion nothing flies and nothing begins by itself; everything still comes in turn.
  const [calm] = useState(wantsCalm);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [shown, setShown] = useState({ at: 0, counted: true });
  const clock_ms = useRef(0);
  const director = useRef<Director>(() => {});
  const scene = script.scenes[Math.min(shown.at, script.scenes.length - 1)];
  const ready = script.scenes.length > 1;

  const pose = (of: Scene) => director.current((part) => (calm ? restOf(part) : part.pose(clock_ms.current - of.from_ms)));
  const show = (ms: number) => {
    clock_ms.current = ms;
    const at = sceneAt(script, ms);
    const now = script.scenes[at];
    if (!now) return;
    const counted = calm || shownScores(now, ms - now.from_ms) === now.after;
    if (at === latest.current.at) pose(now);
    if (at !== latest.current.at || counted !== latest.current.counted) setShown((latest.current = { at, counted }));
  };
  const latest = useRef(shown);
  useEffect(() => {
    if (ready && !calm) setPlaying(true);
  }, [ready]);
  useEffect(() => {
    if (!playing) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const ms = clock_ms.current + Math.min(LONGEST_FRAME_MS, Math.max(0, now - before)) * speed;
      before = now;
      show(Math.min(ms, script.length_ms));
      if (ms >= script.length_ms) setPlaying(false);
      else frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, script]);

  if (!scene) {
    return (
      <main class="no-game">
        <p>{texts.say("timeline.loading")}</p>
      </main>
    );
  }
  const last = script.scenes.length - 1;
  // To where everything of it has happened.
  const go = (to: number) => {
    const target = script.scenes[Math.min(last, Math.max(0, to))]!;
    setPlaying(false);
    show(target.from_ms + target.length_ms - 1);
  };
  const play = () => {
    if (!playing && clock_ms.current >= script.length_ms - 1) show(0);
    setPlaying(!playing);
  };
  const words = sceneWords(texts, scene);
  const most = Math.max(10, ...(script.scenes[last]?.after.players.map(({ score }) => score) ?? []));
  return (
    <main class="board-view replay-view" data-playing={playing}>
      <div class="timeline-board">
        <Stage script={script} at={shown.at} types={types} label={texts.say("replay.label", { words })} title={sceneTitle(texts, scene)} director={director} onDrawn={() => pose(scene)} />
        <Scrubber at={shown.at} last={last} playing={playing} words={words} onGo={go} onPlay={play}>
          <label class="replay-speed">
            <span class="for-listeners">{texts.say("replay.speed")}</span>
            <select value={speed} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
              {SPEEDS.map((times) => (
                <option key={times} value={times}>{`${times.toLocaleString(texts.language)}×`}</option>
              ))}
            </select>
          </label>
        </Scrubber>
      </div>
      <aside class="side">
        <h2 class="for-listeners">{texts.say("replay.title")}</h2>
        <Race view={shown.counted ? scene.after : scene.before} most={most} />
        {/* Read aloud only to those who go step by step: a film would talk without end. */}
        <section class="card replay-words" aria-live={playing ? "off" : "polite"}>
          <p dir="auto"><b>{words}</b></p>
          {scene.items.map((item, i) => (
            <p key={i} class="replay-item">
              <PlayerMark colour={item.colour} />
              <b>{signed(item.points)}</b>
              <span dir="auto">{`${playerName(texts, scene.after, item.colour)}: ${texts.reason(item)}`}</span>
            </p>
          ))}
        </section>
        <KeepFilm script={script} types={types} view={view} />
      </aside>
    </main>
  );
}
