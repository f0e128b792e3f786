// This device's own camera as the camera of the table: takes pictures of its live view and sends
// them, small ones while something moves and sharp ones when they are wanted. The next one goes
// when the one before was answered. What fails is tried again until it works.
import { Code, ConnectError, type Client } from "@connectrpc/connect";
import type { CameraService, SendPictureResponse } from "../gen/tilewarden/v1/camera_pb";
import { newRequestId, wordsOf } from "./client";

// Why no pictures are sent, or that they are.
export type PhoneState =
  | "starting"
  | "live"
  | "insecure" // browsers give their camera to encrypted pages alone
  | "refused" // whoever holds the phone said no
  | "no-camera"
  | "interrupted" // a call, or another app took the camera
  | "away" // the page's server does not answer
  | "replaced" // another phone is the camera now
  | "not-chosen" // the table has another camera
  | "hidden"; // the phone is locked, or shows something else

export interface PhoneStatus {
  readonly state: PhoneState;
  // Of what failed, in the service's words.
  readonly more: string;
  readonly seen: SendPictureResponse | undefined;
  // Sent in the last seconds.
  readonly megabitsPerSecond: number;
  readonly width: number;
  readonly height: number;
  // The phone gives fewer pictures than it should: it is hot, or has other work.
  readonly slow: boolean;
}

export interface PhoneOptions {
  readonly mostMegabitsPerSecond: number;
}

const BEST = { width: { ideal: 3840 }, height: { ideal: 2160 }, frameRate: { ideal: 15 } };
const MOST_PIXELS = 2560 * 1440;
const SMALL_WIDTH = 480;
const SMALL_QUALITY = 0.6;
// What the service takes, and some room.
const MOST_BYTES = 480_000;
const BEST_QUALITY = 0.85;
const WORST_QUALITY = 0.4;
// Of what a quiet table did not need, so much is saved for sharp pictures.
const SAVED_MS = 3_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000] as const;
const PATIENCE_MS = 8_000;
const SLOW_PER_SECOND = 5;

// Until the page is closed.
const NAME_KEY = "tilewarden.phone";
function readName(): string | undefined {
  try {
    return sessionStorage.getItem(NAME_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
function keepName(name: string): void {
  try {
    sessionStorage.setItem(NAME_KEY, name);
  } catch {
    // A browser that keeps nothing is another phone after a reload.
  }
}

export class PhoneCamera {
  private status: PhoneStatus = { state: "starting", more: "", seen: undefined, megabitsPerSecond: 0, width: 0, height: 0, slow: false };
  private stream: MediaStream | undefined;
  private readonly canvas = document.createElement("canvas");
  private readonly name: string;
  private readonly ended = new AbortController();
  private takeOver: boolean;
  private quality = 0.75;
  private readonly sent: { at: number; bytes: number }[] = [];
  // Bytes that may be sent now.
  private allowance = 0;
  private allowedAt = performance.now();
  private frames: number[] = [];
  // The camera has a picture that was not taken yet.
  private newer: Promise<void> | undefined;

  constructor(
    private readonly client: Client<typeof CameraService>,
    private readonly video: HTMLVideoElement,
    private options: PhoneOptions,
    private readonly changed: (status: PhoneStatus) => void,
  ) {
    // Loaded again, it is the same phone, and takes nothing from one that came after it.
    const kept = readName();
    this.name = kept ?? newRequestId();
    this.takeOver = kept === undefined;
    keepName(this.name);
    document.addEventListener("visibilitychange", () => this.wake(), { signal: this.ended.signal });
    void this.run();
  }
  stop(): void {
    this.ended.abort();
    this.close();
    this.wake();
  }
  set(options: PhoneOptions): void {
    this.options = options;
  }
  // In the place of the phone that took over.
  takeBack(): void {
    this.takeOver = true;
    this.wake();
  }
  get track(): MediaStreamTrack | undefined {
    return this.stream?.getVideoTracks()[0];
  }

  // What waits goes on at once.
  private wake: () => void = () => {};
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  private tell(next: Partial<PhoneStatus>): void {
    this.status = { ...this.status, ...next };
    if (!this.ended.signal.aborted) this.changed(this.status);
  }

  private async run(): Promise<void> {
    let failures = 0;
    let wantsSharp = true;
    while (!this.ended.signal.aborted) {
      if (document.hidden) {
        this.tell({ state: "hidden" });
        await this.pause(1_000);
        continue;
      }
      if (!(await this.open())) {
        await this.pause(3_000);
        continue;
      }
      try {
        const seen = await this.send(wantsSharp);
        if (!seen) continue;
        failures = 0;
        wantsSharp = seen.wantsSharp;
        this.tell({ state: "live", more: "", seen });
        await this.pause(wantsSharp ? 0 : seen.waitMs);
      } catch (problem) {
        if (this.ended.signal.aborted) return;
        const code = ConnectError.from(problem).code;
        wantsSharp = true;
        if (code === Code.Aborted) {
          this.tell({ state: "replaced", more: "" });
          while (!this.takeOver && !this.ended.signal.aborted) await this.pause(60_000);
          continue;
        }
        // Of a network that is away only the browser has words, and those help nobody.
        const chosen = code !== Code.FailedPrecondition;
        this.tell({ state: chosen ? "away" : "not-chosen", more: chosen ? "" : wordsOf(problem) });
        await this.pause(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] ?? 5_000);
      }
    }
  }

  // The camera, opened if it is not. False: it cannot be, and was told.
  private async open(): Promise<boolean> {
    const { track } = this;
    if (track && track.readyState === "live" && !track.muted) return true;
    if (track?.muted && track.readyState === "live") {
      this.tell({ state: "interrupted", more: "" });
      return false;
    }
    this.close();
    // Absent where the page is not encrypted.
    const devices = (navigator as { mediaDevices?: MediaDevices }).mediaDevices;
    if (!devices) {
      this.tell({ state: "insecure", more: "" });
      return false;
    }
    try {
      this.stream = await devices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, ...BEST } });
      this.video.srcObject = this.stream;
      await this.video.play();
      return true;
    } catch (problem) {
      const name = problem instanceof DOMException ? problem.name : "";
      const state = name === "NotAllowedError" ? "refused" : name === "NotFoundError" || name === "OverconstrainedError" ? "no-camera" : "interrupted";
      this.tell({ state, more: "" });
      return false;
    }
  }
  private close(): void {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = undefined;
    this.video.srcObject = null;
  }

  // Undefined: there was no picture yet.
  private async send(sharp: boolean): Promise<SendPictureResponse | undefined> {
    await (this.newer ?? this.nextFrame());
    this.newer = this.nextFrame();
    const { videoWidth, videoHeight } = this.video;
    if (videoWidth === 0 || videoHeight === 0) {
      await this.pause(100);
      return undefined;
    }
    const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (videoWidth * videoHeight)));
    const width = Math.round(videoWidth * shrink);
    const height = Math.round(videoHeight * shrink);
    if (width !== this.status.width || height !== this.status.height) this.tell({ width, height });
    const scale = sharp ? 1 : Math.min(1, SMALL_WIDTH / width);
    const jpeg = await this.picture(Math.round(width * scale), Math.round(height * scale), sharp);
    await this.keepToAllowance(jpeg.length, sharp);
    const takeOver = this.takeOver;
    const answer = await this.client.sendPicture(
      { phone: this.name, takeOver, jpeg, ...(!sharp && { sharpWidthPx: width, sharpHeightPx: height }) },
      { signal: this.ended.signal, timeoutMs: PATIENCE_MS },
    );
    if (takeOver) this.takeOver = false;
    return answer;
  }

  private async picture(width: number, height: number, sharp: boolean): Promise<Uint8Array> {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const canvas = this.canvas.getContext("2d", { alpha: false })!;
    // Without it a small picture flickers where the table is finely drawn.
    canvas.imageSmoothingQuality = "high";
    canvas.drawImage(this.video, 0, 0, width, height);
    for (;;) {
      const quality = sharp ? this.quality : SMALL_QUALITY;
      const blob = await new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/jpeg", quality));
      const bytes = new Uint8Array(await (blob ?? new Blob()).arrayBuffer());
      if (!sharp) return bytes;
      if (bytes.length <= MOST_BYTES) {
        if (bytes.length < 0.7 * MOST_BYTES) this.quality = Math.min(BEST_QUALITY, this.quality + 0.02);
        return bytes;
      }
      if (this.quality <= WORST_QUALITY) throw new Error("the picture is too large");
      this.quality = Math.max(WORST_QUALITY, this.quality - 0.1);
    }
  }

  // The camera's next picture: the same one twice tells nothing.
  private async nextFrame(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 500);
      this.video.requestVideoFrameCallback?.(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    const now = performance.now();
    this.frames = [...this.frames.filter((at) => now - at < 5_000), now];
    const slow = now - (this.frames[0] ?? now) > 4_000 && this.frames.length < 4 * SLOW_PER_SECOND && this.status.seen?.hand === true;
    if (slow !== this.status.slow) this.tell({ slow });
  }

  // Small ones wait until their bytes are allowed; sharp ones go at once, and those after them wait
  // the longer.
  private async keepToAllowance(bytes: number, sharp: boolean): Promise<void> {
    const perMs = (this.options.mostMegabitsPerSecond * 1e6) / 8 / 1_000;
    const refill = () => {
      const now = performance.now();
      this.allowance = Math.min(SAVED_MS * perMs, this.allowance + (now - this.allowedAt) * perMs);
      this.allowedAt = now;
    };
    refill();
    if (!sharp && this.allowance < bytes) {
      await this.pause((bytes - this.allowance) / perMs);
      refill();
    }
    this.allowance -= bytes;
    const now = performance.now();
    this.sent.push({ at: now, bytes });
    while (this.sent[0] && now - this.sent[0].at > 10_000) this.sent.shift();
    const since = Math.max(1_000, now - (this.sent[0]?.at ?? now));
    this.tell({ megabitsPerSecond: (this.sent.reduce((sum, one) => sum + one.bytes, 0) * 8) / since / 1_000 });
  }
}
