import type { Bounds } from "../model/grid";
import { fit, kept, zoomed, type Camera, type Insets, type Size } from "./camera";

// Moves the picture: transforms only while it moves, and draws it anew at its
// resting size, so that panning costs no drawing and text stays sharp.
export class Pilot {
  camera: Camera = { scale: 1, tx: 0, ty: 0 };
  private drawnScale = 0;
  private size: Size = { width: 0, height: 0 };
  private insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  private bounds: Bounds | undefined;
  private following = true;
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly svg: SVGSVGElement) {}

  resize(size: Size): void {
    const first = this.size.width === 0;
    this.size = size;
    if (this.following) this.fitAll(!first);
    else this.place(kept(this.camera, this.bounds, size), true);
  }

  show(bounds: Bounds | undefined, insets: Insets): void {
    const first = this.bounds === undefined;
    this.bounds = bounds;
    this.insets = insets;
    if (this.following) this.fitAll(!first);
  }

  // By hand.
  steer(camera: Camera, resting: boolean): void {
    this.following = false;
    this.svg.classList.remove("gliding");
    this.place(kept(camera, this.bounds, this.size), false);
    if (resting) this.settleSoon(120);
    else clearTimeout(this.settling);
  }

  zoom(factor: number): void {
    this.following = false;
    this.glide(zoomed(this.camera, factor, { x: this.size.width / 2, y: this.size.height / 2 }));
  }

  follow(): void {
    this.following = true;
    this.fitAll(true);
  }

  // Looks there only if it is not in sight already.
  reveal(part: Bounds | undefined): void {
    if (!part || this.size.width === 0) return;
    const { scale, tx, ty } = this.camera;
    const seen =
      part.left * 100 * scale + tx >= 0 &&
      part.right * 100 * scale + tx <= this.size.width &&
      part.top * 100 * scale + ty >= 0 &&
      part.bottom * 100 * scale + ty <= this.size.height;
    if (seen) return;
    const all = fit(part, this.size, this.insets);
    const middle = { x: this.size.width / 2, y: this.size.height / 2 };
    this.glide(all.scale < scale ? all : zoomed(all, scale / all.scale, middle));
  }

  stop(): void {
    clearTimeout(this.settling);
  }

  private fitAll(smoothly: boolean): void {
    if (this.size.width === 0) return;
    const camera = fit(this.bounds, this.size, this.insets);
    if (smoothly) this.glide(camera);
    else this.place(camera, true);
  }

  private glide(camera: Camera): void {
    this.svg.classList.add("gliding");
    this.place(camera, false);
    this.settleSoon(420);
  }

  private settleSoon(ms: number): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.svg.classList.remove("gliding");
      this.place(this.camera, true);
    }, ms);
  }

  private place(camera: Camera, redraw: boolean): void {
    this.camera = camera;
    if (redraw || this.drawnScale === 0) {
      this.drawnScale = camera.scale;
      this.svg.style.width = this.svg.style.height = `${camera.scale * 100}px`;
    }
    const factor = camera.scale / this.drawnScale;
    this.svg.style.transform = `translate(${camera.tx}px, ${camera.ty}px) scale(${factor})`;
  }
}
