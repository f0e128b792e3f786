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

// To be given away.
export function pixelsOf(canvas: HTMLCanvasElement): ArrayBuffer {
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
  if (!pixels) throw new Error("no canvas");
  return pixels.data.buffer as ArrayBuffer;
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
