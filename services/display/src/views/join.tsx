import { createClient } from "@connectrpc/connect";
import { useState } from "preact/hooks";
import { AccessService, Role, type CreatePairingCodeResponse } from "../gen/tilewarden/v1/access_pb";
import type { About } from "../live/access";
import { useServices, wordsOf } from "../live/client";
import { useTexts } from "../texts/texts";
import { Devices } from "./devices";
import { CodeToScan, OpenHouse, QrCode, useHouse } from "./let_in";

// How others get to this page: an address to type and the same to scan; and, for
// who may, a code that lets them in, and who is in.
export function Join() {
  const texts = useTexts();
  const { about, access, address, reached, opened } = useHouse();
  const [open, setOpen] = useState(false);
  // While a code is shown its address is the one to scan.
  const [coded, setCoded] = useState(false);
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
      {!reached && access?.role === Role.ADMIN && <OpenHouse onOpen={opened} />}
      {reached && about?.fingerprint && <p class="note" data-certificate>{texts.say("join.certificate")}</p>}
      {reached && access?.role === Role.ADMIN && <LetIn address={address} about={about} onCode={setCoded} />}
      {access?.role === Role.ADMIN && <Devices active={open} />}
    </details>
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
      {made && <CodeToScan address={address} about={about} made={made} />}
    </section>
  );
}
