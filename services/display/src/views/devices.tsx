import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Role, type Device } from "../gen/tilewarden/v1/access_pb";
import { useDevices } from "../live/use_devices";
import { plain, useTexts, type Texts } from "../texts/texts";

// Who is let in from other machines, for those who may shut them out.
export function Devices({ active }: { active: boolean }) {
  const texts = useTexts();
  const { devices, error, revoke } = useDevices(active);
  const [asked, setAsked] = useState<string | undefined>();
  if (!devices && !error) return null;
  return (
    <section class="devices" aria-labelledby="devices-title">
      <h3 id="devices-title">{texts.say("devices.title")}</h3>
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
      {devices?.length === 0 && <p class="empty">{texts.say("devices.none")}</p>}
      <ul>
        {devices?.map((device) => (
          <li key={device.id} data-device={device.id} class={device.revoked ? "shut-out" : undefined}>
            <About device={device} />
            {device.revoked ? (
              <strong>{texts.say("devices.out")}</strong>
            ) : (
              <Revoke
                name={nameOf(texts, device)}
                asked={asked === device.id}
                onAsk={(ask) => setAsked(ask ? device.id : undefined)}
                onSure={() => {
                  setAsked(undefined);
                  void revoke(device.id);
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const ROLES = {
  [Role.UNSPECIFIED]: "devices.role.none",
  [Role.CAMERA]: "devices.role.camera",
  [Role.DISPLAY]: "devices.role.display",
  [Role.REFEREE]: "devices.role.referee",
  [Role.ADMIN]: "devices.role.admin",
} as const;

const nameOf = (texts: Texts, device: Device): string => plain(device.name) || texts.say("devices.unnamed");

function About({ device }: { device: Device }) {
  const texts = useTexts();
  const day = (ms: bigint) => new Date(Number(ms)).toLocaleDateString(texts.language, { dateStyle: "medium" });
  const facts = [
    texts.say(ROLES[device.role]) + (device.table && ` ${texts.say("devices.table", { table: plain(device.table) })}`),
    texts.say("devices.since", { day: day(device.pairedMs) }),
    device.seenMs > 0n ? texts.say("devices.seen", { day: day(device.seenMs) }) : texts.say("devices.never"),
    texts.say("devices.until", { day: day(device.expiresMs) }),
  ];
  return (
    <p>
      <b dir="auto">{nameOf(texts, device)}</b>
      {device.asking && <em> {texts.say("devices.this")}</em>}
      <small dir="auto">{facts.join(" · ")}</small>
    </p>
  );
}

interface RevokeProps {
  name: string;
  asked: boolean;
  onAsk: (ask: boolean) => void;
  onSure: () => void;
}

// Asks once more: a device that is shut out comes back with a new code alone.
function Revoke({ name, asked, onAsk, onSure }: RevokeProps) {
  const texts = useTexts();
  const first = useRef<HTMLButtonElement>(null);
  const asking = useRef(asked);
  // Before the next key is heard: what was pressed is gone, and the key would do nothing.
  useLayoutEffect(() => {
    if (asking.current !== asked) first.current?.focus();
    asking.current = asked;
  }, [asked]);
  if (!asked) {
    return (
      <button ref={first} type="button" class="wide-button quiet" aria-label={texts.say("devices.revoke.which", { device: name })} onClick={() => onAsk(true)}>
        {texts.say("devices.revoke")}
      </button>
    );
  }
  return (
    <div class="device-sure" role="group" aria-label={texts.say("devices.revoke.which", { device: name })} onKeyDown={(event) => event.key === "Escape" && onAsk(false)}>
      <span>{texts.say("devices.revoke.sure")}</span>
      <button ref={first} type="button" class="wide-button" onClick={onSure}>{texts.say("devices.revoke.yes")}</button>
      <button type="button" class="wide-button quiet" onClick={() => onAsk(false)}>{texts.say("correct.leave")}</button>
    </div>
  );
}
