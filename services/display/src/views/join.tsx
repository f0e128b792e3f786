import { createClient } from "@connectrpc/connect";
import { useMemo, useState } from "preact/hooks";
import { qrOf } from "../draw/qr";
import { AccessService, Role, type CreatePairingCodeResponse } from "../gen/tilewarden/v1/access_pb";
import { readAbout, type About } from "../live/access";
import { useServices, wordsOf } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useTexts } from "../texts/texts";
import { Devices } from "./devices";

// Only this machine can open such an address.
const isLoopback = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);

// How others get to this page: an address to type and the same to scan; and, for
// who may, a code that lets them in, and who is in.
export function Join() {
  const texts = useTexts();
  const { transport } = useServices();
  const [opened, setOpened] = useState(0);
  const { value: about } = useAnswer(readAbout, [opened]);
  const { value: access } = useAnswer((signal) => createClient(AccessService, transport).getAccess({}, { signal }), []);
  const [open, setOpen] = useState(false);
  // While a code is shown its address is the one to scan.
  const [coded, setCoded] = useState(false);
  const here = `${location.origin}${location.pathname}`;
  const loopback = isLoopback(location.host);
  const address = (loopback && about?.addresses[0]) || here;
  const reached = !loopback || address !== here;
  return (
    <details class="join card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.say("join.title")}</summary>
      <div class="join-inside">
        {!coded && <QrCode text={address} label={texts.say("join.code", { address })} />}
        <div>
          <p class="join-address">{address}</p>
          <p class="note">{texts.say(reached ? "join.more" : "join.loopback")}</p>
        </div>
      </div>
      {!reached && access?.role === Role.ADMIN && <OpenHouse onOpen={() => setOpened(opened + 1)} />}
      {reached && about?.fingerprint && <p class="note" data-certificate>{texts.say("join.certificate")}</p>}
      {reached && access?.role === Role.ADMIN && <LetIn address={address} about={about} onCode={setCoded} />}
      {access?.role === Role.ADMIN && <Devices active={open} />}
    </details>
  );
}

// One touch, and tablets and phones in this house can open the page.
function OpenHouse({ onOpen }: { onOpen: () => void }) {
  const texts = useTexts();
  const { transport } = useServices();
  const [problem, setProblem] = useState<string | undefined>();
  const open = async () => {
    try {
      await createClient(AccessService, transport).openHouse({});
      onOpen();
    } catch (error) {
      setProblem(wordsOf(error));
    }
  };
  return (
    <section class="let-in">
      <p class="note">{texts.say("join.open.more")}</p>
      <button type="button" class="wide-button" data-open-house onClick={() => void open()}>{texts.say("join.open")}</button>
      {problem && <p class="refused" role="alert" dir="auto">{problem}</p>}
    </section>
  );
}

interface LetInProps {
  address: string;
  about: About | undefined;
  // Whether a code is shown.
  onCode: (shown: boolean) => void;
}

function LetIn({ address, about, onCode }: LetInProps) {
  const texts = useTexts();
  const { transport } = useServices();
  const [role, setRole] = useState(Role.DISPLAY);
  const [made, setMade] = useState<CreatePairingCodeResponse | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const make = async () => {
    try {
      setMade(await createClient(AccessService, transport).createPairingCode({ role }));
      setProblem(undefined);
      onCode(true);
    } catch (error) {
      setProblem(wordsOf(error));
    }
  };
  const link = made && `${address}#/pair/${made.code.replace(/-/g, "")}`;
  return (
    <section class="let-in" aria-labelledby="let-in-title">
      <h3 id="let-in-title">{texts.say("let-in.title")}</h3>
      <div class="let-in-ask">
        <label>
          <span>{texts.say("let-in.as")}</span>
          <select
            value={role}
            onChange={(event) => {
              setRole(Number(event.currentTarget.value));
              setMade(undefined);
              onCode(false);
            }}
          >
            <option value={Role.DISPLAY}>{texts.say("let-in.display")}</option>
            <option value={Role.REFEREE}>{texts.say("let-in.referee")}</option>
          </select>
        </label>
        <button type="button" class="wide-button" onClick={() => void make()}>
          {texts.say("let-in.show")}
        </button>
      </div>
      {problem && <p class="refused" role="alert">{problem}</p>}
      {made && link && (
        <div class="join-inside" role="status">
          <QrCode text={link} label={texts.say("join.code", { address: link })} />
          <div>
            <p class="let-in-code">{made.code}</p>
            <p class="note">{texts.say("let-in.until", { time: clock(Number(made.expiresMs), texts.language) })}</p>
            {about?.fingerprint && (
              <p class="note">
                {texts.say("let-in.certificate")} <Fingerprint of={about.fingerprint} />
              </p>
            )}
          </div>
        </div>
      )}
    </section>
  );
}

// Breaks between bytes only.
const Fingerprint = ({ of }: { of: string }) => (
  <span class="fingerprint">
    {of.split(":").flatMap((byte, i) => (i === 0 ? [byte] : [":", <wbr key={i} />, byte]))}
  </span>
);

const clock = (ms: number, language: string): string =>
  new Date(ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });

function QrCode({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => qrOf(text), [text]);
  if (!rows) return null;
  const side = rows.length + 8;
  const dark = rows.map((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1Z` : "")).join("")).join("");
  return (
    <svg class="qr" viewBox={`-4 -4 ${side} ${side}`} role="img" aria-label={label}>
      <rect x="-4" y="-4" width={side} height={side} fill="#fff" />
      <path fill="#000" shape-rendering="crispEdges" d={dark} />
    </svg>
  );
}
