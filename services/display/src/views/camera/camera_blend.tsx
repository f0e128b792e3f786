import { useEffect, useState } from "preact/hooks";
import type { CameraPicture } from "../../board/camera_picture";
import { useCamera, useShown } from "../../live/use_camera";
import { addressOf } from "../../route";
import { useTexts } from "../../texts/texts";
import { agoWords } from "../words";

interface Props {
  gameId: string;
  onPicture: (picture: CameraPicture | undefined) => void;
}

const HALF = 50;

// A button on the board: blends in what the camera sees, so that anyone can check
// what the program believes.
export function CameraBlend({ gameId, onPicture }: Props) {
  const texts = useTexts();
  const [open, setOpen] = useState(false);
  return (
    <div class={`camera-blend${open ? " is-open" : ""}`}>
      <button type="button" aria-expanded={open} aria-label={texts.say("camera.blend")} title={texts.say("camera.blend")} onClick={() => setOpen(!open)}>
        <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
          <path d="M-8 -4H-4L-2.5 -6.5H2.5L4 -4H8V6.5H-8Z" />
          <circle cy="1" r="3.2" />
        </svg>
      </button>
      {open && <Slider gameId={gameId} onPicture={onPicture} />}
    </div>
  );
}

function Slider({ gameId, onPicture }: Props) {
  const texts = useTexts();
  const [share, setShare] = useState(HALF);
  const camera = useCamera(gameId, true);
  const shown = useShown(camera?.boardPicture);
  useEffect(() => onPicture(shown && { lies: shown.picture, address: shown.address, share: share / 100 }), [shown, share]);
  useEffect(() => () => onPicture(undefined), []);
  if (!shown) {
    return (
      <p role="status">
        {texts.say(camera && !camera.boardPicture ? "camera.blend.none" : "camera.reading")}{" "}
        <a href={addressOf({ view: "camera", gameId })}>{texts.say("camera.title")}</a>
      </p>
    );
  }
  return (
    <label>
      <span>{texts.say("camera.blend.game")}</span>
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label={texts.say("camera.blend")}
        onInput={(e) => setShare(Number(e.currentTarget.value))}
      />
      <span>{texts.say("camera.blend.camera")}</span>
      <small>{agoWords(texts, Number(shown.picture.ageMs))}</small>
    </label>
  );
}
