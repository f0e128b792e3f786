// Pictures as files, made by a worker of their own, and handed over.
import { save } from "./keep";
import type { Asked, Told } from "./picture_worker";

export class PictureWorker {
  private readonly worker = new Worker(new URL("./picture_worker.ts", import.meta.url), { type: "module", name: "pictures" });

  // One at a time.
  ask(asked: Asked): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }: MessageEvent<Told>) => resolve(data);
      this.worker.onerror = (event) => reject(new Error(event.message));
      this.worker.postMessage(asked, "pixels" in asked ? [asked.pixels] : []);
    });
  }
  end(): void {
    this.worker.terminate();
  }
}

// What a browser makes of a drawing, so many pixels wide.
export async function painted(svg: string, width: number, height: number): Promise<CanvasRenderingContext2D> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const context = canvasOf(width, height);
    context.drawImage(image, 0, 0, width, height);
    return context;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// Its pixels are read, not shown.
export function canvasOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  return context;
}

export function pixelsOf(context: CanvasRenderingContext2D): ArrayBuffer {
  const { width, height } = context.canvas;
  return context.getImageData(0, 0, width, height).data.buffer as ArrayBuffer;
}

// To whatever this device sends pictures with; where it has nothing like that, among its downloads.
export async function handOver(name: string, content: Blob): Promise<void> {
  const files = [new File([content], name, { type: content.type })];
  if (navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files });
      return;
    } catch (problem) {
      // Somebody thought better of it. Anything else: the device would not after all.
      if (problem instanceof DOMException && problem.name === "AbortError") return;
    }
  }
  save(name, content);
}
