// The real engine service and gateway as processes of their own, on free
// loopback ports. TILEWARDEN_PROGRAM names the program under test and
// TILEWARDEN_PAGE the built page; CTest sets both.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const START_MS = 30_000;

export const program = process.env["TILEWARDEN_PROGRAM"] ?? "";
export const page = process.env["TILEWARDEN_PAGE"] ?? "";

export class Running {
  constructor(
    private readonly child: ChildProcess,
    // What it printed when it was ready.
    readonly greeting: string,
  ) {}

  get pid(): number {
    return this.child.pid!;
  }
  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (!this.alive) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.once("exit", () => resolve());
      this.child.kill(signal);
    });
  }
}

// Starts `program arguments` and waits for a line that matches.
export function start(args: readonly string[], ready: RegExp, environment = process.env): Promise<Running> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: environment });
    let complaints = "";
    child.stderr?.on("data", (data: Buffer) => (complaints += data.toString()));
    const fail = (why: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`${program} ${args.join(" ")}: ${why}\n${complaints}`));
    };
    const timer = setTimeout(() => fail("not ready in time"), START_MS);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`ended with ${code}`));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const greeting = ready.exec(line)?.[1];
      if (greeting === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners("exit");
      resolve(new Running(child, greeting));
    });
  });
}

export class House {
  private constructor(
    // The engine service's data.
    readonly folder: string,
    private engine: Running,
    private gateway: Running,
    private readonly pageHost: string,
    private readonly more: readonly string[],
  ) {}

  // `more`: for the engine service.
  static async open(pageListen = "127.0.0.1:0", more: readonly string[] = []): Promise<House> {
    const folder = await mkdtemp(join(tmpdir(), "tilewarden-display-"));
    const engine = await House.startEngine(folder, "127.0.0.1:0", more);
    const gateway = await House.startGateway(engine.greeting, pageListen, folder);
    return new House(folder, engine, gateway, new URL(`http://${pageListen}`).hostname, more);
  }

  // "http://127.0.0.1:PORT", for the page and for calls.
  get origin(): string {
    return this.gateway.greeting.replace(/\/$/, "");
  }
  // "127.0.0.1:PORT" of the engine service.
  get engineAddress(): string {
    return this.engine.greeting;
  }

  // A camera that looks at a recorded table and reports to a new game, until it
  // is told to stop.
  look(recording: string): Promise<Running> {
    return start(["vision", recording, "--engine", this.engineAddress, "--data", this.folder, "--new-game", "--name", "Recorded"], /^reporting to game (\S+)/);
  }

  // A vision service that sees the newest picture of a folder, and a gateway that
  // asks it for enrolment and calibration.
  async cameraAt(folder: string): Promise<Running> {
    const vision = await start(
      ["vision", `follow:${folder}`, "--engine", this.engineAddress, "--data", this.folder, "--new-game"],
      /^vision service on (\S+),/,
    );
    await this.restartGateway(vision.greeting);
    return vision;
  }

  async stopGateway(): Promise<void> {
    await this.gateway.stop("SIGKILL");
  }
  async restartGateway(vision = ""): Promise<void> {
    const address = `${this.pageHost}:${new URL(this.origin).port}`;
    await this.gateway.stop("SIGKILL");
    this.gateway = await House.startGateway(this.engineAddress, address, this.folder, vision);
  }
  async restartEngine(): Promise<void> {
    const address = this.engineAddress;
    await this.engine.stop("SIGKILL");
    this.engine = await House.startEngine(this.folder, address, this.more);
  }
  async close(): Promise<void> {
    await this.gateway.stop();
    await this.engine.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private static startEngine(folder: string, address: string, more: readonly string[]): Promise<Running> {
    return start(["engine", "--listen", address, "--data", folder, ...more], /^engine service on (\S+?),/);
  }
  private static startGateway(engine: string, address: string, folder: string, vision = ""): Promise<Running> {
    const camera = vision ? ["--vision", vision] : [];
    return start(["gateway", "--page-listen", address, "--engine", engine, "--page", page, "--data", folder, ...camera], /^page on (\S+)/);
  }
}
