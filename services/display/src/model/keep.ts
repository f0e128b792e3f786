// Games as files to keep: pictures and a page of its own. Pure text.

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

// What a game's files are called, without their ending.
export const fileStem = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "tilewarden";

// A drawing (as XML) with the style it needs, so that it looks the same anywhere.
export function svgFile(drawing: string, style: string): string {
  const size = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(drawing);
  const sized = `<svg width="${size?.[1] ?? 800}" height="${size?.[2] ?? 600}"`;
  return drawing.replace(/^<svg/, sized).replace(/>/, `><style>${escaped(style)}</style>`);
}

export interface Keepsake {
  readonly language: string;
  readonly title: string;
  readonly facts: string;
  // Drawings and style of this page: not escaped.
  readonly board: string;
  readonly chart: string;
  // One for each player, in the sheet's order.
  readonly marks: readonly string[];
  readonly style: string;
  readonly sheet: readonly (readonly string[])[];
  readonly pointsTitle: string;
  // Turn, player, points, reason.
  readonly points: readonly (readonly string[])[];
}

// One file without scripts that anybody can open, send or print.
export function htmlFile(keepsake: Keepsake): string {
  const row = (cells: readonly string[]) =>
    `<tr>${cells.map((text, i) => (i === 0 ? `<th>${escaped(text)}</th>` : `<td>${escaped(text)}</td>`)).join("")}</tr>`;
  const [head = [], ...rows] = keepsake.sheet;
  const heading = head.map((name, i) => `<th>${i > 0 ? (keepsake.marks[i - 1] ?? "") : ""}${escaped(name)}</th>`).join("");
  return `<!doctype html>
<html lang="${escaped(keepsake.language)}" data-theme="light">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(keepsake.title)}</title>
<style>${keepsake.style}
body{font-family:system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;background:#efe7d7;color:#2a2419;height:auto}
svg{width:100%;height:auto}.player-mark{width:1.3rem;height:1.3rem;vertical-align:-.25rem;margin-right:.4rem}figure{margin:0}.board-picture{background:#c9b892;border-radius:1rem;max-height:80vh}
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{padding:.35rem .5rem;text-align:right;border-top:1px solid #ddd0b6}
th:first-child{text-align:left}.points td:last-child{text-align:left}</style>
<h1 dir="auto">${escaped(keepsake.title)}</h1>
<p>${escaped(keepsake.facts)}</p>
${keepsake.board}
<table><tr>${heading}</tr>${rows.map(row).join("")}</table>
${keepsake.chart}
<h2>${escaped(keepsake.pointsTitle)}</h2>
<table class="points">${keepsake.points.map(row).join("")}</table>
</html>
`;
}
