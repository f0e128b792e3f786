// Makes files of what the page draws. Needs a browser.
import { render, type ComponentChild } from "preact";
import { TextsProvider, type Texts } from "../texts/texts";

// The mark-up of a drawing of ours.
export function drawn(child: ComponentChild, texts: Texts): string {
  const box = document.createElement("div");
  render(<TextsProvider value={texts}>{child}</TextsProvider>, box);
  const markup = [...box.children].map((drawing) => new XMLSerializer().serializeToString(drawing)).join("");
  render(null, box);
  return markup;
}

// The style that drawings need, with its colours, as this page has it.
const DRAWING = /\.(tile|figure|mark|player|chart|picture|board-picture)|^:root/;
export function drawingStyle(): string {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSStyleRule && DRAWING.test(rule.selectorText)) rules.push(rule.cssText);
    }
  }
  return rules.join("\n").replace(/</g, "");
}

// What a browser makes of a drawing, its longer side so many pixels.
export async function painted(svg: string, longer_px: number): Promise<HTMLCanvasElement> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = longer_px / Math.max(image.width, image.height, 1);
    const context = contextOf(Math.round(image.width * scale), Math.round(image.height * scale));
    const { canvas } = context;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// Of a canvas that nobody sees, for its pixels.
export function contextOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  return context;
}

const LONGER_SIDE_PX = 2400;

// A picture as every messenger takes it.
export async function pngOf(svg: string): Promise<Blob> {
  const canvas = await painted(svg, LONGER_SIDE_PX);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
