import { describe, expect, it } from "vitest";
import { Gif, paletteOf } from "../../../services/display/src/model/gif";
import { readGif } from "../support/gif";

const WIDTH = 300;
const HEIGHT = 40;
const COLOURS = [0xc9342c, 0x2b67bd, 0xf2b71f, 0xefe7d7, 0x000000];

// A picture of stripes, with a square of its own somewhere.
function picture(square: { x: number; y: number } | undefined): { rgba: Uint8ClampedArray; rgb: Uint32Array } {
  const rgb = Uint32Array.from({ length: WIDTH * HEIGHT }, (_, i) => COLOURS[Math.floor((i % WIDTH) / 7) % 4]!);
  for (let k = 0; square && k < 100; ++k) rgb[(square.y + Math.floor(k / 10)) * WIDTH + square.x + (k % 10)] = COLOURS[4]!;
  const rgba = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  rgb.forEach((colour, i) => rgba.set([colour >> 16, (colour >> 8) & 255, colour & 255, 255], i * 4));
  return { rgba, rgb };
}

describe("a film as a GIF", () => {
  it("is read again pixel by pixel, with its times, and goes on for ever", () => {
    const places = [undefined, { x: 280, y: 3 }, { x: 20, y: 3 }, { x: 20, y: 30 }];
    const gif = new Gif(WIDTH, HEIGHT, paletteOf(picture({ x: 0, y: 0 }).rgba));
    places.forEach((place, i) => gif.add(picture(place).rgba, 50 + 10 * i));
    const file = readGif(gif.done());
    expect(file).toMatchObject({ width: WIDTH, height: HEIGHT, loops: true });
    expect(file.frames.map(({ delay_ms }) => delay_ms)).toEqual([50, 60, 70, 80]);
    file.frames.forEach((frame, i) => expect(frame.picture, `frame ${i}`).toEqual(picture(places[i]).rgb));
  });
  it("holds only what has changed, also beyond 255 pixels from the left", () => {
    const gif = new Gif(WIDTH, HEIGHT, paletteOf(picture({ x: 0, y: 0 }).rgba));
    [undefined, { x: 280, y: 3 }, undefined].forEach((place) => gif.add(picture(place).rgba, 50));
    gif.add(picture(undefined).rgba, 50);
    const { frames } = readGif(gif.done());
    expect(frames[1]!.box).toEqual({ x: 280, y: 3, width: 10, height: 10 });
    expect(frames[2]!.box).toEqual({ x: 280, y: 3, width: 10, height: 10 });
    expect(frames[3]!.box).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    expect(frames[3]!.picture).toEqual(picture(undefined).rgb);
  });
  it("takes the nearest of its colours", () => {
    const noise = new Uint8ClampedArray(64 * 64 * 4).map((_, i) => (i % 4 === 3 ? 255 : (i * 7919) % 256));
    const gif = new Gif(64, 64, paletteOf(noise));
    gif.add(noise, 20);
    const { picture: read } = readGif(gif.done()).frames[0]!;
    const off = read.reduce((sum, colour, i) => sum + Math.abs((colour >> 16) - noise[4 * i]!) + Math.abs(((colour >> 8) & 255) - noise[4 * i + 1]!) + Math.abs((colour & 255) - noise[4 * i + 2]!), 0);
    expect(off / read.length / 3).toBeLessThan(24);
  });
});
