import { useEffect, useMemo, useState } from "preact/hooks";
import type { ListTileSetsResponse } from "../gen/tilewarden/v1/query_pb";
import { newRequestId, useServices, wordsOf } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { keepNames, useNames } from "../live/use_names";
import { useTableCamera } from "../live/use_table_camera";
import {
  additionsFor,
  asRecognised,
  firstPlan,
  isRecognised,
  offeredRules,
  recognisedBox,
  requestOf,
  ruleValue,
  seatsOf,
  withAddition,
  withBox,
  withRecognised,
  withRule,
  type Plan,
} from "../model/new_game";
import type { OfferedRule } from "../model/house_rules";
import { addressOf } from "../route";
import { useTexts, type Texts } from "../texts/texts";
import { ChooseCamera } from "./camera/choose";
import { Seats } from "./seats";
import { agoWords } from "./words";

// A game that is about to begin: what sees the table, the box, the players and the rules. What the
// camera sees is filled in, until somebody says otherwise.
export function NewGame() {
  const texts = useTexts();
  const { game, query } = useServices();
  const { value: known, error } = useAnswer((signal) => query.listTileSets({}, { signal }), []);
  const camera = useTableCamera();
  const named = useNames();
  const [plan, setPlan] = useState<Plan>(firstPlan);
  const [chosen, setChosen] = useState({ box: false, seats: false });
  const [problem, setProblem] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const { view } = camera;
  const sees = !plan.byHand && view?.source ? view : undefined;
  const sets = useMemo(() => known && (sees && sees.sureTiles > 0 ? asRecognised(known, sees.tileSet, sees.sureTiles) : known), [known, sees?.tileSet, sees?.sureTiles]);
  const colours = sees?.colours.join(" ") ?? "";
  useEffect(() => {
    const boxes = sets?.tileSets.filter((set) => !set.addition) ?? [];
    const box = boxes.find((set) => set.id.startsWith("base")) ?? boxes[0];
    // What the camera reads, where it does; to be changed by hand.
    if (sets && box && !chosen.box) setPlan((before) => withRecognised(before.box ? before : withBox(before, sets, box.id), sets));
  }, [sets]);
  useEffect(() => {
    if (colours && !chosen.seats) setPlan((before) => ({ ...before, seats: seatsOf(colours.split(" "), named) }));
  }, [colours, named]);
  // Below a camera the start tile is waited for.
  const watched = sees !== undefined;
  useEffect(() => {
    if (!camera.absent) setPlan((before) => ({ ...before, startTile: !watched }));
  }, [watched, camera.absent]);

  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { state } = await game.createGame(requestOf(plan, newRequestId()));
      keepNames(plan.seats);
      location.hash = addressOf({ view: "board", gameId: state?.gameId ?? "" });
    } catch (failure) {
      setProblem(wordsOf(failure));
      setBusy(false);
    }
  };

  if (!sets) return <main class="no-game"><p role="status">{error ?? texts.say("game.connecting")}</p></main>;
  const changeBox = (next: Plan) => {
    setChosen({ ...chosen, box: true });
    setPlan(next);
  };
  const changeSeats = (next: Plan) => {
    setChosen({ ...chosen, seats: true });
    setPlan(next);
  };
  return (
    <main class="new-view">
      <form onSubmit={(event) => void start(event)} aria-labelledby="new-title">
        <h2 id="new-title">{texts.say("new.title")}</h2>
        <div class="new-columns">
          {!camera.absent && (
            <div class="new-column new-camera">
              <ChooseCamera camera={camera} byHand={plan.byHand} onByHand={(byHand) => setPlan({ ...plan, byHand })} />
            </div>
          )}
          <div class="new-column">
            <Boxes plan={plan} sets={sets} watched={watched} onChange={changeBox} />
          </div>
          <div class="new-column">
            <Seats plan={plan} named={named} onChange={changeSeats} />
          </div>
          <div class="new-column">
            <Options plan={plan} sets={sets} onChange={setPlan} />
          </div>
        </div>
        {problem && <p class="refused" role="alert" dir="auto">{problem}</p>}
        <div class="new-start">
          <a class="wide-button quiet" href={addressOf({ view: "tables", gameId: "" })}>{texts.say("correct.leave")}</a>
          <button type="submit" class="wide-button" disabled={busy}>{texts.say("new.start")}</button>
        </div>
      </form>
    </main>
  );
}

interface PartProps {
  plan: Plan;
  onChange: (plan: Plan) => void;
}
type PartWithSets = PartProps & { sets: ListTileSetsResponse };

function Boxes({ plan, sets, watched, onChange }: PartWithSets & { watched: boolean }) {
  const texts = useTexts();
  const additions = additionsFor(sets, plan.box);
  return (
    <section class="card">
      <label class="field">
        <span>{texts.say("new.name")}</span>
        <input type="text" maxLength={60} value={plan.name} onInput={(e) => onChange({ ...plan, name: e.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{texts.say("new.box")}</span>
        <select value={plan.box} onChange={(e) => onChange(withBox(plan, sets, e.currentTarget.value))}>
          {sets.tileSets.filter((set) => !set.addition).map((set) => (
            <option key={set.id} value={set.id}>{`${texts.setName(set)} · ${texts.count("feature.tiles", set.tiles)}`}</option>
          ))}
        </select>
      </label>
      <CameraBox plan={plan} sets={sets} onChange={onChange} />
      {watched && <a class="enrol-link" href={addressOf({ view: "enrol", gameId: "" })}>{texts.say("enrol.link")}</a>}
      <label class="field">
        <span>{texts.say("new.edition")}</span>
        <select value={plan.preset} onChange={(e) => onChange({ ...plan, preset: e.currentTarget.value, rules: {} })}>
          {sets.presets.map(({ name }) => (
            <option key={name} value={name}>{texts.ruleWord("preset", name)}</option>
          ))}
        </select>
      </label>
      {additions.length > 0 && (
        <fieldset class="additions">
          <legend>{texts.say("new.additions")}</legend>
          {additions.map((set) => (
            <label key={set.id} class="tick">
              <input type="checkbox" checked={plan.additions.includes(set.id)} onChange={(e) => onChange(withAddition(plan, set.id, e.currentTarget.checked))} />
              <span>{texts.setName(set)}</span>
            </label>
          ))}
        </fieldset>
      )}
    </section>
  );
}

// Which box the camera reads, and on what evidence.
function CameraBox({ plan, sets, onChange }: PartWithSets) {
  const texts = useTexts();
  const seen = recognisedBox(sets);
  if (!seen || !sets.recognised) return null;
  const { ageMs, sureTiles } = sets.recognised;
  const names = [seen.box, ...seen.additions].map((id) => texts.setName(sets.tileSets.find((set) => set.id === id) ?? { id, name: id }));
  return (
    <div class="camera-box" data-recognised={sets.recognised.tileSet}>
      <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true">
        <path d="M-8 -4H-4L-2.5 -6.5H2.5L4 -4H8V6.5H-8Z" />
        <circle cy="1" r="3.2" />
      </svg>
      <p>
        <b>{texts.say("new.camera", { box: names.join(" + ") })}</b>
        <small>{`${texts.count("new.camera.tiles", sureTiles)} · ${agoWords(texts, Number(ageMs))}`}</small>
      </p>
      {!isRecognised(plan, sets) && (
        <button type="button" class="option" onClick={() => onChange(withRecognised(plan, sets))}>{texts.say("new.camera.take")}</button>
      )}
    </div>
  );
}

function Rule({ rule: { name, values }, plan, sets, onChange }: PartWithSets & { rule: OfferedRule }) {
  const texts = useTexts();
  const value = ruleValue(plan, sets, name);
  const set = (next: string) => onChange(withRule(plan, sets, name, next));
  return (
    <label class={`setting${name in plan.rules ? " changed" : ""}`} data-rule={name}>
      <span>{texts.ruleWord("rule", name)}</span>
      {values.length === 0 ? (
        <input type="text" value={value} onChange={(e) => set(e.currentTarget.value.trim() || "none")} />
      ) : values.includes("true") ? (
        <input type="checkbox" role="switch" checked={value === "true"} onChange={(e) => set(e.currentTarget.checked ? "true" : "false")} />
      ) : (
        <select value={value} onChange={(e) => set(e.currentTarget.value)}>
          {values.map((v) => (
            <option key={v} value={v}>{texts.ruleWord(`rule.${name}`, v)}</option>
          ))}
        </select>
      )}
    </label>
  );
}

function Options({ plan, sets, onChange }: PartWithSets) {
  const texts = useTexts();
  return (
    <section class="card" aria-labelledby="options-title">
      <h3 id="options-title">{texts.say("new.options")}</h3>
      <p data-rules>{rulesInASentence(texts, plan, sets)}</p>
      <details>
      <summary>{texts.say("new.options.change")}</summary>
      <p class="note">{texts.say("new.options.more")}</p>
      {offeredRules(plan).map((group, i) => (
        <details key={group.name} class="rule-group" open={i === 0} data-group={group.name}>
          <summary>
            {texts.say(`rules.${group.name}`)}
            {group.rules.some(({ name }) => name in plan.rules) && <b class="rule-changed">{texts.say("rules.changed")}</b>}
          </summary>
          {group.rules.map((rule) => (
            <Rule key={rule.name} rule={rule} plan={plan} sets={sets} onChange={onChange} />
          ))}
        </details>
      ))}
      {!plan.byHand && <label class="setting">
        <span>{texts.say("new.start.tile")}</span>
        <input
          type="checkbox"
          role="switch"
          checked={plan.startTile && !plan.begun}
          disabled={plan.begun}
          onChange={(e) => onChange({ ...plan, startTile: e.currentTarget.checked })}
        />
      </label>}
      {!plan.byHand && <label class="setting" data-begun>
        <span>{texts.say("new.begun")}</span>
        <input type="checkbox" role="switch" checked={plan.begun} onChange={(e) => onChange({ ...plan, begun: e.currentTarget.checked })} />
      </label>}
      </details>
    </section>
  );
}

// "The 2014 edition: with farmers, 7 followers each. You changed 1 rule."
function rulesInASentence(texts: Texts, plan: Plan, sets: ListTileSetsResponse): string {
  const changed = Object.keys(plan.rules).length;
  const sentence = texts.say(ruleValue(plan, sets, "farmers") === "false" ? "new.rules.plain" : "new.rules.farmers", {
    edition: texts.ruleWord("preset", plan.preset),
    followers: ruleValue(plan, sets, "followers"),
  });
  return changed > 0 ? `${sentence} ${texts.count("new.rules.changed", changed)}` : sentence;
}
