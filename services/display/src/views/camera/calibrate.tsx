import "../../styles/calibrate.css";
import type { CalibrateCameraResponse, CalibrationLook, GetCalibrationBoardResponse, LensResult } from "../../gen/tilewarden/v1/calibration_pb";
import { BoardTilt, LensVerdict, LookObstacle } from "../../gen/tilewarden/v1/calibration_pb";
import { useCalibration } from "../../live/use_calibration";
import { useTexts } from "../../texts/texts";
import { percent } from "../words";
import { LivePicture } from "./camera_picture";
import { NoCamera } from "./no_camera";

// The camera's lens, measured with a board on this screen or on paper: what to show next,
// what has been seen, and how good it has become.
export function Calibrate() {
  const texts = useTexts();
  const { board, told, looks, running, error, absent, begin, stop } = useCalibration();
  if (absent) return <NoCamera />;
  const result = told?.result;
  const over = !running && (result !== undefined || error !== undefined);
  return (
    <main class="calibrate-view" tabIndex={0}>
      <section class="calibrate-guide">
        <h2>{texts.say("calibrate.title")}</h2>
        {!running && !over && (
          <>
            <p>{texts.say("calibrate.why")}</p>
            <p>{texts.say("calibrate.how")}</p>
          </>
        )}
        {running && told && !result && <Guide told={told} looks={looks} />}
        {running && !told && <p role="status">{texts.say("camera.reading")}</p>}
        {result && <Result result={result} />}
        {result && <Coverage told={told} looks={looks} />}
        {error && !running && <p class="refused" role="alert" dir="auto">{error}</p>}
        <LivePicture />
        <div class="calibrate-steps">
          {running ? (
            <button type="button" class="wide-button quiet" onClick={stop}>{texts.say("calibrate.stop")}</button>
          ) : (
            <button type="button" class="wide-button" onClick={() => begin(result !== undefined)}>
              {texts.say(over ? "calibrate.again" : "calibrate.begin")}
            </button>
          )}
        </div>
      </section>
      {board && !result && <Board board={board} />}
    </main>
  );
}

// Parts of the picture in rows, as the guide counts them.
const PLACES = ["0", "1", "2", "3", "4", "5", "6", "7", "8"] as const;
const TILTS: Record<BoardTilt, "none" | "left" | "right" | "top" | "bottom"> = {
  [BoardTilt.UNSPECIFIED]: "none",
  [BoardTilt.NONE]: "none",
  [BoardTilt.LEFT]: "left",
  [BoardTilt.RIGHT]: "right",
  [BoardTilt.TOP]: "top",
  [BoardTilt.BOTTOM]: "bottom",
};
const OBSTACLES: Record<LookObstacle, "no-picture" | "no-board" | "other-board" | "unclear" | "same" | undefined> = {
  [LookObstacle.UNSPECIFIED]: undefined,
  [LookObstacle.NO_PICTURE]: "no-picture",
  [LookObstacle.NO_BOARD]: "no-board",
  [LookObstacle.OTHER_BOARD]: "other-board",
  [LookObstacle.UNCLEAR]: "unclear",
  [LookObstacle.SAME]: "same",
};

function Guide({ told, looks }: { told: CalibrateCameraResponse; looks: readonly CalibrationLook[] }) {
  const texts = useTexts();
  const obstacle = OBSTACLES[told.obstacle];
  const wish = texts.say("calibrate.wish", {
    place: texts.say(`calibrate.place.${PLACES[told.place] ?? "4"}`),
    tilt: texts.say(`calibrate.tilt.${TILTS[told.tilt]}`),
  });
  return (
    <>
      <p class="calibrate-wish" role="status" data-place={told.place} data-tilt={TILTS[told.tilt]}>{told.progress < 1 ? wish : texts.say("calibrate.solving")}</p>
      <p class={`calibrate-last ${obstacle ? "waits" : "taken"}`} data-obstacle={obstacle ?? "none"}>
        {obstacle ? texts.say(`calibrate.obstacle.${obstacle}`) : texts.say("calibrate.taken")}
      </p>
      <progress max={1} value={told.progress} aria-label={texts.say("calibrate.progress")} data-looks={told.looks} />
      <p class="note">
        {texts.count("calibrate.looks", told.looks)}, {texts.say("calibrate.coverage", { share: percent(texts, told.coverage) })}
      </p>
      {told.width > 0 && <Coverage told={told} looks={looks} />}
    </>
  );
}

// The camera's picture with every corner that was seen, and the part that is needed next.
function Coverage({ told, looks }: { told: CalibrateCameraResponse; looks: readonly CalibrationLook[] }) {
  const texts = useTexts();
  const { width, height, place, tilt, result } = told;
  const x = ((place % 3) * width) / 3;
  const y = (Math.floor(place / 3) * height) / 3;
  const dots = looks.flatMap(({ corners }) => corners.map((corner) => `M${corner.x.toFixed(0)} ${corner.y.toFixed(0)}h0`)).join("");
  return (
    <svg class="calibrate-coverage" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={texts.say("calibrate.coverage.picture")}>
      <rect class="frame" width={width} height={height} />
      {!result && <rect class="wish" x={x} y={y} width={width / 3} height={height / 3} />}
      {!result && <path class="held" d={heldBoard(tilt)} transform={`translate(${x + width / 6} ${y + height / 6}) scale(${height / 9})`} />}
      <path class="seen" d={dots} stroke-width={width / 110} />
    </svg>
  );
}

// A board as the camera sees it: the side that is farther away is shorter.
function heldBoard(tilt: BoardTilt): string {
  const far = 0.62;
  const [nw, ne, se, sw] = {
    [BoardTilt.UNSPECIFIED]: [1, 1, 1, 1],
    [BoardTilt.NONE]: [1, 1, 1, 1],
    [BoardTilt.LEFT]: [far, 1, 1, far],
    [BoardTilt.RIGHT]: [1, far, far, 1],
    [BoardTilt.TOP]: [far, far, 1, 1],
    [BoardTilt.BOTTOM]: [1, 1, far, far],
  }[tilt] as [number, number, number, number];
  const sideways = tilt === BoardTilt.LEFT || tilt === BoardTilt.RIGHT;
  const at = (sx: number, sy: number, scale: number) => `${sx * (sideways ? 1 : scale)} ${sy * (sideways ? scale : 1)}`;
  return `M${at(-1, -1, nw)}L${at(1, -1, ne)}L${at(1, 1, se)}L${at(-1, 1, sw)}Z`;
}

function Result({ result }: { result: LensResult }) {
  const texts = useTexts();
  const good = result.kept && result.verdict === LensVerdict.GOOD;
  const state = !result.kept ? (result.verdict === LensVerdict.POOR ? "poor" : "not-kept") : good ? "good" : "usable";
  return (
    <div class={`health health-${result.kept ? "good" : "warning"}`} role="status" data-result={state}>
      <strong>{texts.say(`calibrate.result.${state}`)}</strong>
      {result.rmsPx > 0 && (
        <span>{texts.say("calibrate.result.figures", { rms: texts.number(result.rmsPx, 2), halves: texts.number(result.halvesPx, 2) })}</span>
      )}
      {result.kept && <span>{texts.say("calibrate.result.kept")}</span>}
      {state === "usable" && <span>{texts.say("calibrate.result.better")}</span>}
      {!result.kept && <span dir="auto">{result.text}</span>}
    </div>
  );
}

// Black on white in every theme: it is for the camera.
function Board({ board }: { board: GetCalibrationBoardResponse }) {
  const texts = useTexts();
  const ink = board.ink.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}Z`).join("");
  return (
    <figure class="calibrate-board">
      <svg viewBox={`-0.6 -0.6 ${board.columns + 1.2} ${board.rows + 1.2}`} role="img" aria-label={texts.say("calibrate.board")}>
        <rect x={-0.6} y={-0.6} width={board.columns + 1.2} height={board.rows + 1.2} fill="#fff" />
        <path d={ink} fill="#000" />
      </svg>
    </figure>
  );
}
