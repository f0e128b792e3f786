import { useEffect, useState } from "preact/hooks";
import type { BoardPicture, GetCameraViewResponse } from "../gen/tilewarden/v1/query_pb";
import { useServices } from "./client";

const EVERY_MS = 2_000;

// How a game's camera is doing, asked again and again while this is shown;
// undefined until it is known, or while it cannot be.
export function useCamera(gameId: string, picture: boolean): GetCameraViewResponse | undefined {
  const { query } = useServices();
  const [camera, setCamera] = useState<GetCameraViewResponse | undefined>();
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        const answer = await query.getCameraView({ gameId, picture }, { signal });
        if (!signal.aborted) setCamera(answer);
      } catch {
        if (!signal.aborted) setCamera(undefined);
      }
      if (!signal.aborted) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      asking.abort();
      clearTimeout(timer);
      setCamera(undefined);
    };
  }, [query, gameId, picture]);
  return camera;
}

// A picture that can be drawn at once, with its address: the one before stays
// until the next is decoded. One that cannot be decoded is not shown.
export interface Shown<Picture = BoardPicture> {
  readonly picture: Picture;
  readonly address: string;
}

export function useShown<Picture extends { readonly jpeg: Uint8Array }>(picture: Picture | undefined): Shown<Picture> | undefined {
  const [shown, setShown] = useState<Shown<Picture> | undefined>();
  useEffect(() => {
    if (!picture) return setShown(undefined);
    const address = URL.createObjectURL(new Blob([new Uint8Array(picture.jpeg)], { type: "image/jpeg" }));
    const forget = () => URL.revokeObjectURL(address);
    let current = true;
    const image = new Image();
    image.src = address;
    image.decode().then(() => (current ? setShown({ picture, address }) : forget()), forget);
    return () => {
      current = false;
    };
  }, [picture]);
  // Its address holds as long as it is drawn.
  useEffect(() => shown && (() => URL.revokeObjectURL(shown.address)), [shown]);
  return picture && shown;
}
