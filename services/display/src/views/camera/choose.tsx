import { useState } from "preact/hooks";
import type { TableCamera } from "../../live/use_table_camera";
import { useTexts, type Texts } from "../../texts/texts";
import { CameraPicture } from "./camera_picture";
import { InvitePhone } from "./invite_phone";

interface Props {
  camera: TableCamera;
  byHand: boolean;
  onByHand: (byHand: boolean) => void;
}

// As ChooseCamera takes it.
const PHONE = "phone";

// What sees the table: a camera by its picture, a phone, an address or a folder, or nobody.
export function ChooseCamera({ camera, byHand, onByHand }: Props) {
  const texts = useTexts();
  const { view, cameras, busy, error } = camera;
  const [typed, setTyped] = useState("");
  const take = async (source: string) => {
    if (await camera.choose(source)) onByHand(false);
  };
  const listed = cameras ?? [];
  // An address or a folder is not in the list.
  const other = view?.source && view.source !== PHONE && !listed.some(({ source }) => source === view.source) ? view.source : undefined;
  const byPhone = !byHand && view?.source === PHONE;
  return (
    <section class="card choose-camera" aria-labelledby="choose-title">
      <h3 id="choose-title">{texts.say("choose.title")}</h3>
      <div class="camera-cards">
        {listed.map(({ source, name, jpeg }) => (
          <button key={source} type="button" class="option camera-card" data-source={source} aria-pressed={!byHand && view?.source === source} disabled={busy} onClick={() => void take(source)}>
            <CameraPicture jpeg={!byHand && view?.source === source && view.jpeg.length > 0 ? view.jpeg : jpeg} />
            <span dir="auto">{name}</span>
          </button>
        ))}
        {other !== undefined && view && (
          <button type="button" class="option camera-card" data-source={other} aria-pressed={!byHand} disabled={busy} onClick={() => onByHand(false)}>
            <CameraPicture jpeg={view.jpeg} />
            <span dir="auto" title={other}>{sourceWords(texts, other)}</span>
          </button>
        )}
        <button type="button" class="option camera-card" data-source={PHONE} aria-pressed={byPhone} disabled={busy} onClick={() => void take(PHONE)}>
          {byPhone && view && view.jpeg.length > 0 ? (
            <CameraPicture jpeg={view.jpeg} />
          ) : (
            <svg viewBox="-24 -16 48 32" class="sign" aria-hidden="true"><path d="M-8 -14H8V14H-8ZM-3 11H3" /></svg>
          )}
          <span>{texts.say("choose.phone")}</span>
        </button>
        <button type="button" class="option camera-card" data-by-hand aria-pressed={byHand} disabled={busy} onClick={() => onByHand(true)}>
          <svg viewBox="-24 -16 48 32" class="sign" aria-hidden="true"><path d="M-9 11V-3a2.5 2.5 0 0 1 5 0V-8a2.5 2.5 0 0 1 5 0a2.5 2.5 0 0 1 5 0V-4a2.5 2.5 0 0 1 5 0V4Q11 11 5 12H-3Z" /></svg>
          <span>{texts.say("choose.none")}</span>
        </button>
      </div>
      {byPhone && <InvitePhone sends={view.jpeg.length > 0 && view.problem === ""} />}
      <details class="camera-other">
        <summary>{texts.say("choose.other")}</summary>
        <div class="camera-address">
          <input type="text" aria-label={texts.say("choose.other")} placeholder="http://192.168.1.20:8080/video" value={typed} onInput={(e) => setTyped(e.currentTarget.value)} />
          <button type="button" class="wide-button" disabled={busy || typed.trim() === ""} onClick={() => void take(typed.trim())}>{texts.say("choose.take")}</button>
        </div>
      </details>
      {cameras?.length === 0 && other === undefined && <p class="note">{texts.say("choose.empty")}</p>}
      <button type="button" class="wide-button quiet" disabled={busy} onClick={() => void camera.look()}>{texts.say("choose.again")}</button>
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
      {!byHand && view?.source && view.problem && <p class="refused" role="status" dir="auto">{view.problem}</p>}
    </section>
  );
}

// An address by its host, a folder or a video by its name.
function sourceWords(texts: Texts, source: string): string {
  const host = /^\w+:\/\/(?:[^/@]*@)?([^/]+)/.exec(source)?.[1];
  return host ?? texts.say("choose.file", { name: source.replace(/\/+$/, "").split("/").at(-1) ?? source });
}
