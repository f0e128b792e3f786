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

const LONGEST_SIDE_PX = 2400;

// A picture as every messenger takes it.
export async function pngOf(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = LONGEST_SIDE_PX / Math.max(image.width, image.height, 1);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
