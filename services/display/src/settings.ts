// What a viewer chose on this device; kept in the browser. Addresses may preset
// them (?lang=de&theme=dark), so that a wall display needs no tapping.
export interface Settings {
  // Empty: as the browser prefers.
  readonly language: string;
  readonly theme: "auto" | "light" | "dark";
  readonly large: boolean;
  readonly contrast: boolean;
  readonly calm: boolean;
  readonly safeColours: boolean;
  readonly sound: boolean;
  // Says points aloud.
  readonly speak: boolean;
  // Only looks: nothing may be changed from this device.
  readonly spectator: boolean;
}

export const defaultSettings: Settings = {
  language: "",
  theme: "auto",
  large: false,
  contrast: false,
  calm: false,
  safeColours: false,
  sound: false,
  speak: false,
  spectator: false,
};

const KEY = "tilewarden.settings";

export function readSettings(store: Pick<Storage, "getItem"> | undefined, query: URLSearchParams): Settings {
  let kept: Partial<Settings> = {};
  try {
    const parsed: unknown = JSON.parse(store?.getItem(KEY) ?? "{}");
    if (typeof parsed === "object" && parsed !== null) kept = parsed;
  } catch {
    // Somebody else's or torn: the defaults are fine.
  }
  const theme = query.get("theme") ?? kept.theme;
  const flag = (name: keyof Settings) => (query.has(name) ? query.get(name) !== "0" : kept[name] === true);
  return {
    language: query.get("lang") ?? (typeof kept.language === "string" ? kept.language : ""),
    theme: theme === "light" || theme === "dark" ? theme : "auto",
    large: flag("large"),
    contrast: flag("contrast"),
    calm: flag("calm"),
    safeColours: flag("safeColours"),
    sound: flag("sound"),
    speak: flag("speak"),
    spectator: flag("spectator"),
  };
}

export function keepSettings(store: Pick<Storage, "setItem"> | undefined, settings: Settings): void {
  try {
    store?.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still shows the game.
  }
}

// Style sheets only look at these attributes.
export function applySettings(root: HTMLElement, settings: Settings, deviceIsDark: boolean): void {
  const dark = settings.theme === "dark" || (settings.theme === "auto" && deviceIsDark);
  root.dataset["theme"] = dark ? "dark" : "light";
  root.dataset["size"] = settings.large ? "large" : "normal";
  root.dataset["contrast"] = settings.contrast ? "high" : "normal";
  root.dataset["motion"] = settings.calm ? "calm" : "normal";
  root.dataset["palette"] = settings.safeColours ? "safe" : "box";
}

// Undefined: this browser keeps nothing.
export function localStorageOrNone(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

// Whether somebody asked for less motion, of this page or of the device.
export const wantsCalm = (): boolean =>
  document.documentElement.dataset["motion"] === "calm" || matchMedia("(prefers-reduced-motion: reduce)").matches;
