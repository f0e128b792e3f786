import { createClient } from "@connectrpc/connect";
import { useState } from "preact/hooks";
import { AccessService } from "../gen/tilewarden/v1/access_pb";
import { useServices, wordsOf } from "../live/client";
import { keepHidden } from "../live/use_hidden";
import { addressOf } from "../route";
import { localStorageOrNone } from "../settings";
import { useTexts } from "../texts/texts";
import { AskTwice } from "./ask_twice";

// From one table back to all of them: the address that is replaced is the only place where this
// device keeps it.
export function LeaveTable({ onLeft }: { onLeft: () => void }) {
  const texts = useTexts();
  const leave = () => {
    location.replace(addressOf({ view: "tables", gameId: "" }));
    onLeft();
  };
  return <button type="button" class="wide-button quiet" onClick={leave}>{texts.say("leave.table")}</button>;
}

// Only a device that was let in with a code can leave: this one then needs another code.
export function LeaveDevice() {
  const texts = useTexts();
  const { door, transport } = useServices();
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<string | undefined>();
  if (!door.held) return null;
  const leave = async () => {
    try {
      await createClient(AccessService, transport).leave({});
      keepHidden(localStorageOrNone(), []);
      location.replace("#/board");
      door.leave();
    } catch (problem) {
      setError(wordsOf(problem));
    }
  };
  return (
    <>
      <AskTwice
        label={texts.say("leave.device")}
        which={texts.say("leave.device")}
        sure={texts.say("leave.device.sure")}
        yes={texts.say("leave.device.yes")}
        asked={asked}
        onAsk={setAsked}
        onSure={() => {
          setAsked(false);
          void leave();
        }}
      />
      {error && <p class="refused" role="alert" dir="auto">{error}</p>}
    </>
  );
}
