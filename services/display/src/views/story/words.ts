import type { Scene } from "../../model/replay";
import type { Texts } from "../../texts/texts";
import { playerName } from "../words";

// What a scene is called.
export function sceneWords(texts: Texts, scene: Scene): string {
  const { kind, after } = scene;
  if (kind === "opening") return texts.say("replay.start");
  if (kind === "final") return texts.say("replay.final");
  if (kind === "closing") return winnerWords(texts, scene);
  return texts.say("replay.turn", { turn: after.turn, name: playerName(texts, after, after.last?.tile.colour ?? "") });
}

// What stands over the board: the game's name at the start, who won at the end.
export const sceneTitle = (texts: Texts, scene: Scene): string =>
  scene.kind === "opening" ? texts.game(scene.after) : scene.kind === "closing" ? winnerWords(texts, scene) : "";

function winnerWords(texts: Texts, { after }: Scene): string {
  const names = after.winners.map((colour) => playerName(texts, after, colour));
  return texts.say(names.length > 1 ? "final.winners" : "final.winner", { names: texts.list(names) });
}
