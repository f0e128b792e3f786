// An evening on which two turns were disputed.
import type { Camera, Extra } from "./camera";
import type { GameClient } from "./players";

// Beside the start tile's road, which it does not take up.
export const WRONG: Extra = { tile: "B.E", cell: { x: 1, y: 0 }, rotation: 0 };
const LAID: Extra = { tile: "B.E", cell: { x: 0, y: -1 }, rotation: 2 };

// On a board with the start tile alone. The hand comes back to the first tile: was a figure there? A
// player says no. Then a tile is laid that does not fit, and taken back. The game ends.
export async function disputedEvening(client: GameClient, gameId: string, camera: Camera): Promise<void> {
  const stateOf = async () => (await client.getGame({ gameId })).state!;
  await camera.see(await stateOf());
  await camera.see(await stateOf(), LAID, 2);
  const [question] = (await stateOf()).questions;
  if (!question) throw new Error("nothing was asked");
  await client.answerQuestion({ requestId: `${gameId}-answer`, gameId, questionId: question.id, answer: 1 });
  const state = await stateOf();
  await camera.see(state, WRONG);
  if ((await stateOf()).findings.length !== 1) throw new Error("nothing was found wrong");
  await camera.see(state);
  if ((await stateOf()).findings.length > 0) throw new Error("it is still wrong");
  await client.endGame({ requestId: `${gameId}-end`, gameId });
}
