import { useEffect, useRef } from "preact/hooks";
import type { Settings } from "../settings";
import { languages, useTexts, type TextKey } from "../texts/texts";
import { LeaveDevice, LeaveTable } from "./leave";

interface Props {
  // The address names one table.
  atTable: boolean;
  settings: Settings;
  onChange: (settings: Settings) => void;
  onClose: () => void;
}

const SWITCHES: readonly [keyof Settings, TextKey][] = [
  ["large", "settings.size"],
  ["contrast", "settings.contrast"],
  ["calm", "settings.motion"],
  ["safeColours", "settings.palette"],
  ["sound", "settings.sound"],
  ["speak", "settings.speak"],
  ["spectator", "settings.spectator"],
];

// As those who speak it call it: "Deutsch".
export function nameOfLanguage(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

export function SettingsPanel({ atTable, settings, onChange, onClose }: Props) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="settings" aria-labelledby="settings-title" onClose={onClose}>
      <h2 id="settings-title">{texts.say("settings.title")}</h2>
      <label class="setting">
        <span>{texts.say("settings.language")}</span>
        <select value={texts.language} onChange={(e) => onChange({ ...settings, language: e.currentTarget.value })}>
          {languages.map((language) => (
            <option key={language} value={language}>
              {nameOfLanguage(language)}
            </option>
          ))}
        </select>
      </label>
      <label class="setting">
        <span>{texts.say("settings.theme")}</span>
        <select
          value={settings.theme}
          onChange={(e) => onChange({ ...settings, theme: e.currentTarget.value as Settings["theme"] })}
        >
          {(["auto", "light", "dark"] as const).map((theme) => (
            <option key={theme} value={theme}>
              {texts.say(`settings.theme.${theme}`)}
            </option>
          ))}
        </select>
      </label>
      {SWITCHES.map(([name, key]) => (
        <label key={name} class="setting">
          <span>{texts.say(key)}</span>
          <input
            type="checkbox"
            role="switch"
            checked={settings[name] === true}
            onChange={(e) => onChange({ ...settings, [name]: e.currentTarget.checked })}
          />
        </label>
      ))}
      {atTable && <LeaveTable onLeft={() => dialog.current?.close()} />}
      <LeaveDevice />
      <button type="button" class="wide-button" onClick={() => dialog.current?.close()}>
        {texts.say("settings.close")}
      </button>
    </dialog>
  );
}
