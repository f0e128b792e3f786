// Pan, pinch, wheel and keys on the board, as changes of the camera.
import type { XY } from "../model/grid";
import { panned, pinched, zoomed, type Camera } from "./camera";

export interface GestureTarget {
  camera(): Camera;
  // `resting`: no finger is down any more.
  move(camera: Camera, resting: boolean): void;
  tap(at: XY): void;
  fit(): void;
}

// A smaller movement is a shaky tap.
const TAP_PX = 8;
const KEY_PAN_PX = 80;
const KEY_ZOOM = 1.25;

export function attachGestures(element: HTMLElement, target: GestureTarget): () => void {
  const fingers = new Map<number, XY>();
  let moved = 0;
  let lastTap = { time: 0, at: { x: 0, y: 0 } };

  const place = (event: MouseEvent): XY => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const pair = (): [XY, XY] | undefined => {
    const [a, b] = [...fingers.values()];
    return a && b ? [a, b] : undefined;
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest("button, a, label, section, .banner")) return;
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, place(event));
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const from = pair();
    const now = place(event);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    fingers.set(event.pointerId, now);
    const to = pair();
    if (from && to) target.move(pinched(target.camera(), from, to), false);
    else if (moved > TAP_PX) target.move(panned(target.camera(), now.x - before.x, now.y - before.y), false);
  };
  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    if (moved > TAP_PX) {
      target.move(target.camera(), true);
      return;
    }
    if (event.type === "pointercancel") return;
    const at = place(event);
    const double = event.timeStamp - lastTap.time < 320 && Math.hypot(at.x - lastTap.at.x, at.y - lastTap.at.y) < 30;
    lastTap = { time: event.timeStamp, at };
    if (double) target.move(zoomed(target.camera(), 1.8, at), true);
    else target.tap(at);
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    target.move(zoomed(target.camera(), Math.exp(-event.deltaY * lines * 0.0016), place(event)), true);
  };
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== element) return;
    const middle = { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const camera = target.camera();
    const moves: Record<string, () => Camera> = {
      ArrowLeft: () => panned(camera, KEY_PAN_PX, 0),
      ArrowRight: () => panned(camera, -KEY_PAN_PX, 0),
      ArrowUp: () => panned(camera, 0, KEY_PAN_PX),
      ArrowDown: () => panned(camera, 0, -KEY_PAN_PX),
      "+": () => zoomed(camera, KEY_ZOOM, middle),
      "=": () => zoomed(camera, KEY_ZOOM, middle),
      "-": () => zoomed(camera, 1 / KEY_ZOOM, middle),
    };
    const change = moves[event.key];
    if (event.key === "0" || event.key === "Home") target.fit();
    else if (event.key === "Enter" || event.key === " ") target.tap(middle);
    else if (change) target.move(change(), true);
    else return;
    event.preventDefault();
  };

  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("wheel", wheel, { passive: false });
  element.addEventListener("keydown", key);
  return () => {
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", up);
    element.removeEventListener("wheel", wheel);
    element.removeEventListener("keydown", key);
  };
}
