import type { BoardPicture } from "../gen/tilewarden/v1/query_pb";

export interface CameraPicture {
  readonly address: string;
  readonly lies: BoardPicture;
  // 0: unseen, 1: nothing else is seen.
  readonly share: number;
}

// How a picture that is turned clockwise by quarter turns lies on the
// cells it covers, in the board's coordinates: 100 to a cell. Pure.
export function lying({ quarterTurns, northWest, columns, rows }: BoardPicture) {
  const odd = quarterTurns % 2 === 1;
  // As the camera has it, before it is turned.
  const width = (odd ? rows : columns) * 100;
  const height = (odd ? columns : rows) * 100;
  const west = (northWest?.x ?? 0) * 100;
  const north = (northWest?.y ?? 0) * 100;
  const corner = [
    [west, north],
    [west + height, north],
    [west + width, north + height],
    [west, north + width],
  ][quarterTurns & 3]!;
  return { width, height, transform: `translate(${corner.join(" ")}) rotate(${90 * (quarterTurns & 3)})` };
}

// What the camera saw, over what the game believes.
export function CameraLayer({ picture }: { picture: CameraPicture }) {
  const { width, height, transform } = lying(picture.lies);
  return (
    <image
      class="camera-picture"
      href={picture.address}
      width={width}
      height={height}
      transform={transform}
      opacity={picture.share}
      preserveAspectRatio="none"
    />
  );
}
