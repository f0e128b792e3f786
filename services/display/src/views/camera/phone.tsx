import { createClient } from "@connectrpc/connect";
import { useEffect, useRef, useState } from "preact/hooks";
import { CameraAdvice, CameraService, type TileOutline } from "../../gen/tilewarden/v1/camera_pb";
import { useServices } from "../../live/client";
import { PhoneCamera, type PhoneState, type PhoneStatus } from "../../live/phone_camera";
import { useWakeLock } from "../../live/use_wake_lock";
import { useTexts, type TextKey } from "../../texts/texts";

const STATES: Record<PhoneState, TextKey> = {
  starting: "phone.starting",
  live: "phone.live",
  insecure: "phone.insecure",
  refused: "phone.refused",
  "no-camera": "phone.no-camera",
  interrupted: "phone.interrupted",
  away: "phone.away",
  replaced: "phone.replaced",
  "not-chosen": "phone.not-chosen",
  hidden: "phone.hidden",
};
const ADVICE: Partial<Record<CameraAdvice, TextKey>> = {
  [CameraAdvice.NO_TILES]: "phone.advice.no-tiles",
  [CameraAdvice.NEARER]: "phone.advice.nearer",
  [CameraAdvice.FARTHER]: "phone.advice.farther",
  [CameraAdvice.STRAIGHTER]: "phone.advice.straighter",
  [CameraAdvice.LIGHT]: "phone.advice.light",
  [CameraAdvice.GLARE]: "phone.advice.glare",
  [CameraAdvice.SHARPER]: "phone.advice.sharper",
};
const TRAFFIC = [1, 2, 3] as const;
const LOW_BATTERY = 0.2;
const DIM_AFTER_MS = 120_000;

// This phone is the table's camera: its live picture, the tiles that are found in it, and what to
// change. After a while without a touch it goes dark; it lies there for hours.
export function Phone() {
  const texts = useTexts();
  const { transport } = useServices();
  const video = useRef<HTMLVideoElement>(null);
  const camera = useRef<PhoneCamera>();
  const [status, setStatus] = useState<PhoneStatus | undefined>();
  const [most, setMost] = useState<number>(3);
  const dim = useDim(status?.state === "live");
  const battery = useBattery();
  useWakeLock(true);
  useEffect(() => {
    if (!video.current) return;
    const phone = new PhoneCamera(createClient(CameraService, transport), video.current, { mostMegabitsPerSecond: most }, setStatus);
    camera.current = phone;
    return () => phone.stop();
  }, [transport]);
  useEffect(() => camera.current?.set({ mostMegabitsPerSecond: most }), [most]);
  const state = status?.state ?? "starting";
  const seen = state === "live" ? status?.seen : undefined;
  const empty = seen?.tiles.length === 0;
  // A bare table is never sharp.
  const told = (seen?.advice ?? []).filter((one) => !(empty && one === CameraAdvice.SHARPER));
  const advice = told.flatMap((one) => ADVICE[one] ?? []);
  if (battery !== undefined && battery < LOW_BATTERY) advice.push("phone.battery");
  if (status?.slow) advice.push("phone.slow");
  return (
    <main class="phone-view" data-phone={state}>
      <div class="phone-picture">
        <video ref={video} muted playsInline aria-label={texts.say("phone.picture")} />
        {seen && status && <Found tiles={seen.tiles} width={status.width} height={status.height} />}
      </div>
      <div class={`phone-panel${state === "live" ? " is-live" : ""}`}>
        <h1>{texts.say("phone.title")}</h1>
        <p class="phone-state" role="status" data-state={state}>{texts.say(seen && seen.gameId === "" ? (empty ? "phone.on" : "phone.ready") : STATES[state])}</p>
        {status?.more && state !== "not-chosen" && <p class="note" dir="auto">{status.more}</p>}
        {state === "replaced" && (
          <button type="button" class="wide-button" onClick={() => camera.current?.takeBack()}>{texts.say("phone.take-back")}</button>
        )}
        {seen && (
          <>
            <p class="phone-found" data-tiles={seen.tiles.length}>{texts.count("phone.tiles", seen.tiles.length)}</p>
            {advice.length > 0 && <ul class="phone-advice" role="status">{advice.map((key) => <li key={key} data-advice={key}>{texts.say(key)}</li>)}</ul>}
            {advice.length === 0 && <p class="phone-good">{texts.say("phone.good")}</p>}
          </>
        )}
        <div class="phone-settings">
          {state === "live" && <Torch camera={camera.current} />}
          <label class="phone-traffic">
            <span>{texts.say("phone.traffic", { now: texts.number(status?.megabitsPerSecond ?? 0, 1) })}</span>
            <select value={most} onChange={(event) => setMost(Number(event.currentTarget.value))}>
              {TRAFFIC.map((limit) => <option key={limit} value={limit}>{texts.say("phone.traffic.most", { most: limit })}</option>)}
            </select>
          </label>
        </div>
      </div>
      {dim.dark && (
        <button type="button" class="phone-dark" onClick={dim.wake}>{texts.say("phone.dark")}</button>
      )}
    </main>
  );
}

// The outlines of the tiles over the live picture.
function Found({ tiles, width, height }: { tiles: readonly TileOutline[]; width: number; height: number }) {
  return (
    <svg class="phone-found-tiles" viewBox={`0 0 ${width || 1} ${height || 1}`} preserveAspectRatio="xMidYMid meet" aria-hidden="true">
      {tiles.map(({ corners }, i) => {
        const points = [0, 2, 4, 6].map((at) => `${((corners[at] ?? 0) * width).toFixed(1)},${((corners[at + 1] ?? 0) * height).toFixed(1)}`);
        return <polygon key={i} points={points.join(" ")} />;
      })}
    </svg>
  );
}

// The phone's lamp, where it has one that browsers may switch.
function Torch({ camera }: { camera: PhoneCamera | undefined }) {
  const texts = useTexts();
  const [on, setOn] = useState(false);
  const track = camera?.track;
  const can = track?.getCapabilities?.() as { torch?: boolean } | undefined;
  if (!track || !can?.torch) return null;
  const toggle = async () => {
    await track.applyConstraints({ advanced: [{ torch: !on } as MediaTrackConstraintSet] });
    setOn(!on);
  };
  return <button type="button" class="option" aria-pressed={on} onClick={() => void toggle()}>{texts.say("phone.torch")}</button>;
}

// A screen that shows a picture for hours heats the phone and empties it.
function useDim(live: boolean): { dark: boolean; wake: () => void } {
  const [dark, setDark] = useState(false);
  const [touched, setTouched] = useState(0);
  useEffect(() => {
    setDark(false);
    if (!live) return;
    const timer = setTimeout(() => setDark(true), DIM_AFTER_MS);
    const touch = () => setTouched((n) => n + 1);
    addEventListener("pointerdown", touch);
    return () => {
      clearTimeout(timer);
      removeEventListener("pointerdown", touch);
    };
  }, [live, touched]);
  return { dark, wake: () => setTouched((n) => n + 1) };
}

interface Battery extends EventTarget {
  readonly level: number;
  readonly charging: boolean;
}

// From 0 to 1 while it is not charged; undefined: it is, or the browser does not tell.
function useBattery(): number | undefined {
  const [level, setLevel] = useState<number | undefined>();
  useEffect(() => {
    const left = new AbortController();
    const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
    getBattery?.call(navigator).then(
      (battery) => {
        const told = () => setLevel(battery.charging ? undefined : battery.level);
        for (const what of ["levelchange", "chargingchange"]) battery.addEventListener(what, told, { signal: left.signal });
        if (!left.signal.aborted) told();
      },
      () => {},
    );
    return () => left.abort();
  }, []);
  return level;
}
