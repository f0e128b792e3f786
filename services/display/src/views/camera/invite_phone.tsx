import { createClient } from "@connectrpc/connect";
import { useEffect, useState } from "preact/hooks";
import { AccessService, Role, type CreatePairingCodeResponse } from "../../gen/tilewarden/v1/access_pb";
import { useServices, wordsOf } from "../../live/client";
import { useTexts } from "../../texts/texts";
import { CodeToScan, OpenHouse, useHouse } from "../let_in";

// How a phone becomes the camera: its own browser opens what it scans here. `sends`: one does.
export function InvitePhone({ sends }: { sends: boolean }) {
  const texts = useTexts();
  const { transport } = useServices();
  const { about, access, address, reached, opened } = useHouse();
  const [made, setMade] = useState<CreatePairingCodeResponse | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  // For another phone, while one sends already.
  const [another, setAnother] = useState(false);
  const invites = reached && access?.role === Role.ADMIN && (!sends || another);
  const make = () =>
    createClient(AccessService, transport)
      .createPairingCode({ role: Role.CAMERA })
      .then(setMade, (error: unknown) => setProblem(wordsOf(error)));
  useEffect(() => {
    if (invites && !made) void make();
  }, [invites, made]);
  return (
    <section class="invite-phone" data-phone-sends={sends}>
      {sends && <p role="status">{texts.say("invite.sends")}</p>}
      {sends && !another && <button type="button" class="option" onClick={() => { setMade(undefined); setAnother(true); }}>{texts.say("invite.another")}</button>}
      {!reached && access?.role === Role.ADMIN && <OpenHouse onOpen={opened} />}
      {access && access.role !== Role.ADMIN && <p class="note">{texts.say("invite.owner")}</p>}
      {invites && <p>{texts.say("invite.scan")}</p>}
      {invites && about?.fingerprint && <p class="note">{texts.say("invite.certificate")}</p>}
      {invites && made && <CodeToScan address={address} about={about} made={made} />}
      {problem && <p class="refused" role="alert" dir="auto">{problem}</p>}
    </section>
  );
}
