import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pngFile } from "../../../services/display/src/model/png";

describe("a picture with a palette", () => {
  it("is a PNG that says what it holds", async () => {
    const indices = Uint8Array.from({ length: 6 }, (_, i) => i % 2);
    const file = Buffer.from(await pngFile(3, 2, { colours: [[201, 52, 44], [255, 250, 240]], indices }));
    expect(file.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < file.length; ) {
      const length = file.readUInt32BE(at);
      chunks.set(file.subarray(at + 4, at + 8).toString(), file.subarray(at + 8, at + 8 + length));
      at += 12 + length;
    }
    expect([...chunks.keys()]).toEqual(["IHDR", "PLTE", "IDAT", "IEND"]);
    expect([...chunks.get("IHDR")!]).toEqual([0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
    expect([...chunks.get("PLTE")!]).toEqual([201, 52, 44, 255, 250, 240]);
    expect([...inflateSync(chunks.get("IDAT")!)]).toEqual([0, 0, 1, 0, 0, 1, 0, 1]);
    // Known from the format: an empty last chunk.
    expect(file.subarray(-12).toString("hex")).toBe("0000000049454e44ae426082");
  });
});
