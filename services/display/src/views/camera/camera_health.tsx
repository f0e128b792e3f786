import { useCamera, useShown } from "../../live/use_camera";
import { useTableView } from "../../live/use_table_camera";
import { GamePhase } from "../../gen/tilewarden/v1/game_pb";
import type { BoardPicture, GetCameraViewResponse } from "../../gen/tilewarden/v1/query_pb";
import { lying } from "../../board/camera_picture";
import { healthOf, NARROW_PX } from "../../model/health";
import type { View } from "../../model/view";
import { addressOf } from "../../route";
import { useTexts } from "../../texts/texts";
import { agoWords } from "../words";
import { InvitePhone } from "./invite_phone";

// How the camera of this table is doing, in plain words, and how to set it up.
export function CameraHealth({ view, spectator }: { view: View; spectator: boolean }) {
  const texts = useTexts();
  const camera = useCamera(view.gameId, true);
  const table = useTableView();
  return (
    <main class="camera-view" tabIndex={0}>
      <section class="card" aria-labelledby="camera-title">
        <h2 id="camera-title">{texts.say("camera.title")}</h2>
        {camera ? <Health view={view} camera={camera} /> : <p class="empty" role="status">{texts.say("camera.reading")}</p>}
        {table?.source === "phone" && !spectator && <InvitePhone sends={table.problem === "" && table.jpeg.length > 0} />}
      </section>
      <section class="card" aria-labelledby="camera-sees">
        <h2 id="camera-sees">{texts.say("camera.sees")}</h2>
        {camera?.boardPicture ? <Picture picture={camera.boardPicture} /> : <p class="empty">{texts.say("camera.blend.none")}</p>}
      </section>
      <section class="card" aria-labelledby="camera-set-up">
        <h2 id="camera-set-up">{texts.say("camera.set-up")}</h2>
        <ol class="steps">
          {(["enrol", "place", "start", "check", "lens"] as const).map((step) => (
            <li key={step}>
              <b>{texts.say(`camera.step.${step}`)}</b>
              <span><WithCommands text={texts.say(`camera.step.${step}.more`)} /></span>{" "}
              {step === "enrol" && !spectator && <a href={addressOf({ view: "enrol", gameId: "" })}>{texts.say("enrol.link")}</a>}
              {step === "lens" && !spectator && <a href={addressOf({ view: "calibrate", gameId: "" })}>{texts.say("calibrate.link")}</a>}
            </li>
          ))}
        </ol>
      </section>
    </main>
  );
}

// Words and what stands between them in the quotation marks of some language, in turn.
export const splitQuoted = (text: string): string[] => text.split(/[“„«]\u202f?(.*?)\u202f?[”“»]/);

// What stands in quotation marks is typed as it is: it breaks at spaces only.
const WithCommands = ({ text }: { text: string }) => (
  <>{splitQuoted(text).map((part, i) => (i % 2 === 1 ? <code key={i}>{part.split(" ").flatMap((word, k) => [k > 0 ? " " : "", <span key={k}>{word}</span>])}</code> : part))}</>
);

function Health({ view, camera }: { view: View; camera: GetCameraViewResponse }) {
  const texts = useTexts();
  const { tone, state, advice } = healthOf(camera, view.tiles.flatMap((tile) => (tile.cell ? [tile.cell] : [])), view.phase === GamePhase.ENDED);
  const facts: [string, string][] =
    camera.sightings === 0n
      ? []
      : [
          [texts.say("camera.last"), agoWords(texts, Number(camera.ageMs))],
          [texts.say("camera.tiles"), texts.say("camera.tiles.of", { seen: camera.tiles, board: view.tiles.length })],
          [texts.say("camera.unsure"), String(camera.unsureTiles)],
          [texts.say("camera.hidden"), String(camera.hiddenTiles)],
          [texts.say("camera.figures"), String(camera.figures)],
          ...(camera.tilePx > 0
            ? [[texts.say("camera.width"), texts.say("camera.width.px", { width: Math.round(camera.tilePx), least: NARROW_PX })] as [string, string]]
            : []),
        ];
  return (
    <>
      <div class={`health health-${tone}`} role="status" data-health={state}>
        <strong>{texts.say(`camera.state.${state}`)}</strong>
        {camera.hand && state !== "none" && state !== "silent" && <span>{texts.say("camera.hand")}</span>}
        {camera.movedAgeMs !== undefined && state !== "none" && state !== "silent" && (
          <span data-moved>{texts.say("camera.moved", { ago: agoWords(texts, Number(camera.movedAgeMs)) })}</span>
        )}
        {advice.map((word) => <p key={word} data-advice={word}>{texts.say(`camera.advice.${word}`)}</p>)}
      </div>
      <dl class="health-facts">
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

// As it lies on the board, so that left and right are those of the page.
function Picture({ picture }: { picture: BoardPicture }) {
  const texts = useTexts();
  const shown = useShown(picture);
  if (!shown) return null;
  const { width, height, transform } = lying(shown.picture);
  const { northWest, columns, rows } = shown.picture;
  return (
    <figure class="camera-sees">
      <svg viewBox={`${(northWest?.x ?? 0) * 100} ${(northWest?.y ?? 0) * 100} ${columns * 100} ${rows * 100}`} role="img" aria-label={texts.say("camera.sees")}>
        <image href={shown.address} width={width} height={height} transform={transform} preserveAspectRatio="none" />
      </svg>
      <figcaption>{agoWords(texts, Number(shown.picture.ageMs))}</figcaption>
    </figure>
  );
}
