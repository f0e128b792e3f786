import { useState } from "preact/hooks";
import { Role, type Device } from "../gen/tilewarden/v1/access_pb";
import { useDevices } from "../live/use_devices";
import { plain, useTexts, type Texts } from "../texts/texts";
import { AskTwice } from "./ask_twice";

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
              <AskTwice
                label={texts.say("devices.revoke")}
                which={texts.say("devices.revoke.which", { device: nameOf(texts, device) })}
                sure={texts.say("devices.revoke.sure")}
                yes={texts.say("devices.revoke.yes")}
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
