import { describe, expect, it } from "vitest";
import { escaped, htmlFile, svgFile } from "../../../services/display/src/model/keep";

describe("files to keep", () => {
  it("carry hostile names as text", () => {
    expect(escaped(`<img src=x onerror='a("&")'>`)).toBe("&lt;img src=x onerror=&#39;a(&quot;&amp;&quot;)&#39;&gt;");
    const page = htmlFile({
      language: `en" onload="x`,
      title: "<script>alert(1)</script>",
      facts: "</p><script>",
      board: "<svg></svg>",
      chart: "",
      marks: ["<svg></svg>"],
      style: "",
      sheet: [["", "<b>Anna</b>"], ["Total", "</td><script>"]],
      pointsTitle: "Points",
      points: [["turn 1", "<i>", "+3", "\"><script>"]],
    });
    expect(page).not.toMatch(/<script|<b>|<i>/);
    expect(page).toContain('lang="en&quot; onload=&quot;x"');
    expect(page).toContain("default-src 'none'");
  });
  it("give a drawing its size and style", () => {
    const svg = svgFile('<svg xmlns="http://www.w3.org/2000/svg" class="board-picture" viewBox="-12 -112 324 224" aria-hidden="true"><g/></svg>', ".a{}");
    expect(svg).toMatch(/^<svg width="324" height="224" xmlns=[^>]*><style>\.a\{\}<\/style><g\/>/);
  });
});
