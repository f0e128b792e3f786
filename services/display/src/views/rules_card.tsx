import { useServices } from "../live/client";
import { useAnswer } from "../live/use_answer";
import { playedRules } from "../model/house_rules";
import type { View } from "../model/view";
import { useTexts } from "../texts/texts";

// By which rules this game is played: the edition, and what its table chose otherwise.
export function RulesCard({ view }: { view: View }) {
  const texts = useTexts();
  const { query } = useServices();
  const { value: sets } = useAnswer((signal) => query.listTileSets({}, { signal }), []);
  const rules = sets && playedRules(sets.presets, view.rules, view.tileSet);
  if (!rules) return null;
  const word = (name: string, value: string) =>
    value === "true" ? texts.say("rules.yes") : value === "false" ? texts.say("rules.no") : texts.ruleWord(`rule.${name}`, value);
  return (
    <section class="card rules-card" aria-labelledby="rules-title" data-preset={rules.preset}>
      <h2 id="rules-title">{texts.say("rules.title")}</h2>
      <p>{texts.say("rules.as", { preset: texts.ruleWord("preset", rules.preset) })}</p>
      {rules.changed.length === 0 && <p class="note">{texts.say("rules.same")}</p>}
      <dl>
        {rules.changed.map(({ name, value }) => (
          <div key={name} data-rule={name}>
            <dt>{texts.ruleWord("rule", name)}</dt>
            <dd>{word(name, value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
