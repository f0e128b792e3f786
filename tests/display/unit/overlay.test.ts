import { describe, expect, it } from "vitest";
import { overlayOptions } from "../../../services/display/src/views/overlay";

describe("the overlay's address", () => {
  const options = (query: string) => overlayOptions(new URLSearchParams(query));
  it("shows everything in a row when nobody says", () => {
    expect(options("")).toEqual({ layout: "row", parts: ["scores", "last", "findings"] });
  });
  it("stacks, and picks parts; what it does not know is left out", () => {
    expect(options("layout=column&show=last,nonsense,scores")).toEqual({ layout: "column", parts: ["scores", "last"] });
    expect(options("show=").parts).toEqual([]);
  });
});
