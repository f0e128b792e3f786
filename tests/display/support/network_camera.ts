// A camera in the network, as Motion JPEG: the same picture again and again, until another one lies
// below it.
import { readFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const EVERY_MS = 40;

export class NetworkCamera {
  private picture: Buffer = Buffer.alloc(0);
  // Told of the next picture that is sent.
  private sent: ((at: number) => void) | undefined;
  private readonly viewers = new Set<ServerResponse>();
  private readonly timer = setInterval(() => this.send(), EVERY_MS);

  private constructor(private readonly server: Server) {
    server.on("request", (_, answer: ServerResponse) => {
      answer.writeHead(200, { "Content-Type": "multipart/x-mixed-replace; boundary=frame" });
      this.viewers.add(answer);
      answer.on("close", () => this.viewers.delete(answer));
    });
  }
  static async open(): Promise<NetworkCamera> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new NetworkCamera(server);
  }
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/table.mjpg`;
  }
  // When the first picture of it was sent, by this machine's clock.
  async show(file: string): Promise<number> {
    this.picture = await readFile(file);
    return new Promise((resolve) => (this.sent = resolve));
  }
  close(): void {
    clearInterval(this.timer);
    for (const viewer of this.viewers) viewer.destroy();
    this.server.close();
  }

  private send(): void {
    if (this.picture.length === 0 || this.viewers.size === 0) return;
    const now = Date.now();
    for (const viewer of this.viewers) {
      // A viewer that is behind misses some, as it would of a camera.
      if (viewer.writableLength > this.picture.length) continue;
      viewer.write(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${this.picture.length}\r\n\r\n`);
      viewer.write(this.picture);
      viewer.write("\r\n");
    }
    this.sent?.(now);
    this.sent = undefined;
  }
}
