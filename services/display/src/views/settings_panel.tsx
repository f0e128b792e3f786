import { useEffect, useRef, useState } from "preact/hooks";
import type { Settings } from "../settings";
import { languages, readTexts, useTexts, type TextKey } from "../texts/texts";

interface Props {
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
  ["spectator", "settings.spectator"],
];

export function SettingsPanel({ settings, onChange, onClose }: Props) {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [names, setNames] = useState<Record<string, string>>({});
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    for (const language of languages) {
      void readTexts(language).then((t) => setNames((known) => ({ ...known, [language]: t.say("language") })));
    }
  }, []);
  return (
    <dialog ref={dialog} class="settings" aria-labelledby="settings-title" onClose={onClose}>
      <h2 id="settings-title">{texts.say("settings.title")}</h2>
      <label class="setting">
        <span>{texts.say("settings.language")}</span>
        <select value={texts.language} onChange={(e) => onChange({ ...settings, language: e.currentTarget.value })}>
          {languages.map((language) => (
            <option key={language} value={language}>
              {names[language] ?? language}
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
      <button type="button" class="wide-button" onClick={() => dialog.current?.close()}>
        {texts.say("settings.close")}
      </button>
    </dialog>
  );
}
