// The engine service as this page sees it: gRPC-Web over the origin that served
// the page, and no other host.
import { createClient, type Client } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { GameService } from "../gen/tilewarden/v1/game_pb";

export type GameClient = Client<typeof GameService>;

export const connectToOrigin = (): GameClient =>
  createClient(GameService, createGrpcWebTransport({ baseUrl: window.location.origin }));
