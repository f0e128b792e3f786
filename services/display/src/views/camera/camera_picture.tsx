import { useMemo } from "preact/hooks";
import { useShown } from "../../live/use_camera";
import { useTableView } from "../../live/use_table_camera";
import { useTexts } from "../../texts/texts";

// A camera's picture, or where one would be.
export function CameraPicture({ jpeg, alt = "" }: { jpeg: Uint8Array; alt?: string }) {
  const picture = useMemo(() => (jpeg.length > 0 ? { jpeg } : undefined), [jpeg]);
  const shown = useShown(picture);
  return shown ? <img src={shown.address} alt={alt} /> : <span class="no-picture" aria-hidden="true" />;
}

// What the camera sees now, for whoever holds something before it.
export function LivePicture() {
  const texts = useTexts();
  const view = useTableView();
  if (!view || view.jpeg.length === 0) return null;
  return (
    <figure class="live-picture">
      <CameraPicture jpeg={view.jpeg} alt={texts.say("camera.live")} />
    </figure>
  );
}
