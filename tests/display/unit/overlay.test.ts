import { describe, expect, it } from "vitest";
import { overlayOptions } from "../../../services/display/src/views/overlay";

describe("the overlay's address", () => {
  const options = (query: string) => overlayOptions(new URLSearchParams(query));
  it("shows everything in a row when nobody says", () => {
    expect(options("")).toEqual({ layout: "row", parts: ["scores", "last", "findings"], look: "dark", names: "plain", size: 100 });
  });
  it("stacks, and picks parts; what it does not know is left out", () => {
    expect(options("layout=column&show=last,nonsense,scores")).toMatchObject({ layout: "column", parts: ["scores", "last"] });
    expect(options("show=").parts).toEqual([]);
  });
  it("takes a look, name bars and a size, and nothing that it does not know", () => {
    expect(options("look=clear&names=bars&size=150")).toMatchObject({ look: "clear", names: "bars", size: 150 });
    expect(options("look=constructor&names=toString&size=huge")).toMatchObject({ look: "dark", names: "plain", size: 100 });
  });
  it("keeps its size within what a picture takes", () => {
    expect([options("size=1").size, options("size=9999").size, options("size=-5").size]).toEqual([50, 400, 50]);
  });
});
