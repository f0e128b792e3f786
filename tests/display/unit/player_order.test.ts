import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { PlayerFiguresSchema } from "../../../services/display/src/gen/tilewarden/v1/players_pb";
import { ordered } from "../../../services/display/src/model/player_order";

const person = (name: string, games: number, wins: number, averagePoints: number) => create(PlayerFiguresSchema, { name, games, wins, averagePoints });
const people = [person("Zoe", 9, 2, 60), person("Ägidius", 3, 3, 51.5), person("Anna", 5, 3, 44), person("Ben", 9, 0, 71)];
const names = (order: Parameters<typeof ordered>[1]) => ordered(people, order, "de").map(({ name }) => name);

describe("the people who play", () => {
  it("stand with the best first, and by name where they are as good", () => {
    expect(names("wins")).toEqual(["Ägidius", "Anna", "Zoe", "Ben"]);
    expect(names("games")).toEqual(["Ben", "Zoe", "Anna", "Ägidius"]);
    expect(names("average")).toEqual(["Ben", "Zoe", "Ägidius", "Anna"]);
  });
  it("stand by name as the language orders names", () => {
    expect(names("name")).toEqual(["Ägidius", "Anna", "Ben", "Zoe"]);
  });
  it("are not moved in the list that was given", () => {
    expect(people[0]!.name).toBe("Zoe");
  });
});
