// What lets another device in: the page opened to the house, its address, and a code to scan.
import { createClient } from "@connectrpc/connect";
import { useMemo, useState } from "preact/hooks";
import { qrOf } from "../draw/qr";
import { AccessService, type CreatePairingCodeResponse, type GetAccessResponse } from "../gen/tilewarden/v1/access_pb";
import { readAbout, type About } from "../live/access";
import { useServices, wordsOf } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { useTexts } from "../texts/texts";

// Only this machine can open such an address.
const isLoopback = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);

interface House {
  readonly about: About | undefined;
  readonly access: GetAccessResponse | undefined;
  // Where others open this page, if they reach it at all.
  readonly address: string;
  readonly reached: boolean;
  // Looks again: it was opened just now.
  opened(): void;
}

export function useHouse(): House {
  const { transport } = useServices();
  const [times, setTimes] = useState(0);
  const { value: about } = useAnswer(readAbout, [times]);
  const { value: access } = useAnswer((signal) => createClient(AccessService, transport).getAccess({}, { signal }), []);
  const here = `${location.origin}${location.pathname}`;
  const loopback = isLoopback(location.host);
  const address = (loopback && about?.addresses[0]) || here;
  return { about, access, address, reached: !loopback || address !== here, opened: () => setTimes(times + 1) };
}

// One touch, and tablets and phones in this house can open the page.
export function OpenHouse({ onOpen }: { onOpen: () => void }) {
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

// Lets one device in that scans it, or at which it is typed.
export function CodeToScan({ address, about, made }: { address: string; about: About | undefined; made: CreatePairingCodeResponse }) {
  const texts = useTexts();
  const link = `${address}#/pair/${made.code.replace(/-/g, "")}`;
  return (
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

export function QrCode({ text, label }: { text: string; label: string }) {
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
