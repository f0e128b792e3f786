// Plays games through the contract, as the camera and the command line do.
import { createClient, type Client } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { AccessService, type Role } from "../../../services/display/src/gen/tilewarden/v1/access_pb";
import { FigureKind, GameService, type GameState } from "../../../services/display/src/gen/tilewarden/v1/game_pb";
import { QueryService } from "../../../services/display/src/gen/tilewarden/v1/query_pb";
import { SightingService } from "../../../services/display/src/gen/tilewarden/v1/vision_pb";
import game from "./game.json";

export type GameClient = Client<typeof GameService>;

// Through the gateway, exactly as the page does it.
export const gameClient = (origin: string): GameClient =>
  createClient(GameService, createGrpcWebTransport({ baseUrl: origin }));

export const queryClient = (origin: string): Client<typeof QueryService> =>
  createClient(QueryService, createGrpcWebTransport({ baseUrl: origin }));

// Past the gateway, straight to the engine service.
export const engineClient = (engineAddress: string): GameClient =>
  createClient(GameService, createGrpcTransport({ baseUrl: `http://${engineAddress}` }));

export const sightingClient = (engineAddress: string): Client<typeof SightingService> =>
  createClient(SightingService, createGrpcTransport({ baseUrl: `http://${engineAddress}` }));

// A code that lets one device in; the engine's own machine may ask for it.
export async function pairingCode(engineAddress: string, role: Role): Promise<string> {
  const access = createClient(AccessService, createGrpcTransport({ baseUrl: `http://${engineAddress}` }));
  return (await access.createPairingCode({ role })).code;
}

// One turn of the kept game: tile, x, y, rotation and where a follower went.
export type KeptTurn = readonly [tile: string, x: number, y: number, rotation: number, segment: number | null];
export const keptGame = game as unknown as {
  readonly players: readonly { readonly colour: string; readonly name: string }[];
  readonly turns: readonly KeptTurn[];
};

export async function createGame(client: GameClient, id: string, name: string, players = keptGame.players): Promise<GameState> {
  const { state } = await client.createGame({
    requestId: id,
    name,
    tileSet: "base.c1",
    players: players.map((player) => ({ ...player })),
    placeStartTile: true,
  });
  if (!state) throw new Error("no state");
  return state;
}

// A game that goes on at the table already: the camera takes its board as it lies.
export async function joinGame(client: GameClient, id: string, name: string): Promise<string> {
  const { state } = await client.createGame({
    requestId: id,
    name,
    tileSet: "base.c1",
    players: [
      { colour: "red", name: "Anna" },
      { colour: "blue", name: "Ben" },
    ],
    begun: true,
  });
  if (!state) throw new Error("no state");
  return state.gameId;
}

// Plays the kept game's turns FROM to TO (from 1, both included). `id` names the
// requests: turns taken back and played again need another one.
export async function playTurns(client: GameClient, gameId: string, from: number, to: number, id = gameId): Promise<void> {
  for (let turn = from; turn <= to; ++turn) {
    const kept = keptGame.turns[turn - 1];
    if (!kept) throw new Error(`the kept game has no turn ${turn}`);
    const [tile, x, y, rotation, segment] = kept;
    const answer = await client.playTurn({
      requestId: `${id}-${turn}`,
      gameId,
      turn: {
        tile,
        cell: { x, y },
        rotation,
        ...(segment !== null && { deployment: { kind: FigureKind.FOLLOWER, segment } }),
      },
    });
    if (answer.outcome.case !== "event") {
      throw new Error(`turn ${turn} was refused: ${answer.outcome.value?.text ?? "no answer"}`);
    }
  }
}

// Plays turns on whatever cell takes a tile, with every figure that may be set; `until`
// ends it before.
export async function playWhateverFits(
  client: GameClient,
  query: Client<typeof QueryService>,
  gameId: string,
  turns: number,
  until: (state: GameState) => boolean = () => false,
): Promise<void> {
  let request = 0;
  const play = async (state: GameState): Promise<void> => {
    for (const { cell } of state.tiles) {
      for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]] as const) {
        const at = { x: cell!.x + dx, y: cell!.y + dy };
        if (state.tiles.some((tile) => tile.cell!.x === at.x && tile.cell!.y === at.y)) continue;
        const { choices } = await query.listChoices({ gameId, cell: at, colour: state.toMove });
        for (const { tile, rotation, deployments } of choices.slice(0, 40)) {
          const special = deployments.find(({ kind }) => kind !== FigureKind.FOLLOWER) ?? deployments[0];
          // Where the Ark enters, it must.
          for (const more of [{}, { arkLanding: at }]) {
            const turn = { tile, rotation, cell: at, ...(special && { deployment: special }), ...more };
            const { outcome } = await client.playTurn({ requestId: `${gameId}-fits-${++request}`, gameId, turn });
            if (outcome.case === "event") return;
          }
        }
      }
    }
    throw new Error("nothing fits");
  };
  for (let turn = 0; turn < turns; ++turn) {
    const { state } = await client.getGame({ gameId });
    if (until(state!)) return;
    await play(state!);
  }
}
