import { PlayerMark } from "../draw/figure";
import { COLOURS, MOST_PLAYERS, type Plan } from "../model/new_game";
import { useTexts } from "../texts/texts";

interface Props {
  plan: Plan;
  // Names that were given before, by colour; those of others are offered, too.
  named: ReadonlyMap<string, string>;
  onChange: (plan: Plan) => void;
}

// Who plays, in turn order: a colour is touched to sit down, a name to be taken.
export function Seats({ plan, named, onChange }: Props) {
  const texts = useTexts();
  const { seats } = plan;
  const put = (i: number, name: string) => onChange({ ...plan, seats: seats.map((s, k) => (k === i ? { ...s, name } : s)) });
  const free = COLOURS.filter((colour) => !seats.some((seat) => seat.colour === colour));
  const known = [...new Set(named.values())].filter((name) => !seats.some((seat) => seat.name.trim() === name));
  const later = (i: number) => onChange({ ...plan, seats: seats.flatMap((seat, k) => (k === i - 1 ? [seats[i]!, seat] : k === i ? [] : [seat])) });
  return (
    <section class="card" aria-labelledby="seats-title">
      <h3 id="seats-title">{texts.say("new.players")}</h3>
      <p class="note">{texts.say(seats.length === 0 ? "new.players.unknown" : "new.players.order")}</p>
      <ol class="seats">
        {seats.map((seat, i) => (
          <li key={seat.colour} data-seat={seat.colour}>
            <PlayerMark colour={seat.colour} />
            <input
              type="text"
              maxLength={40}
              aria-label={texts.say("new.player", { number: i + 1 })}
              placeholder={texts.colour(seat.colour)}
              value={seat.name}
              onInput={(e) => put(i, e.currentTarget.value)}
            />
            <button type="button" class="icon-button" disabled={i === 0} aria-label={texts.say("new.earlier", { number: i + 1 })} onClick={() => later(i)}>
              <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true"><path d="M0 7V-6M-5 -1L0 -6L5 -1" /></svg>
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={texts.say("new.remove", { number: i + 1 })}
              onClick={() => onChange({ ...plan, seats: seats.filter((_, k) => k !== i) })}
            >
              <svg viewBox="-10 -10 20 20" class="sign" aria-hidden="true"><path d="M-5 -5L5 5M5 -5L-5 5" /></svg>
            </button>
            {seat.name === "" && known.length > 0 && (
              <p class="name-chips">
                {known.slice(0, MOST_PLAYERS).map((name) => (
                  <button key={name} type="button" class="option" data-name={name} dir="auto" onClick={() => put(i, name)}>{name}</button>
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
      {seats.length < MOST_PLAYERS && (
        <fieldset class="add-seat">
          <legend>{texts.say("new.add")}</legend>
          <div class="options">
            {free.map((colour) => (
              <button
                key={colour}
                type="button"
                class="option"
                data-add={colour}
                aria-label={texts.say("new.add.colour", { colour: texts.colour(colour) })}
                onClick={() => onChange({ ...plan, seats: [...seats, { colour, name: named.get(colour) ?? "" }] })}
              >
                <PlayerMark colour={colour} />
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </section>
  );
}
