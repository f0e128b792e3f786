import { describe, expect, it } from "vitest";
import { CARD_WIDTH, cardOf, fitted, type CardFacts } from "../../../services/display/src/model/scorecard";

const facts = (more: Partial<CardFacts> = {}): CardFacts => ({
  title: "Friday evening",
  facts: "Friday, 25 July 2026",
  players: [
    { colour: "blue", name: "Ben", score: 91 },
    { colour: "red", name: "Anna", score: 84 },
    { colour: "green", name: "Cleo", score: 84 },
  ],
  rows: [
    { label: "Cities", points: [40, 30, 20] },
    { label: "Roads", points: [12, 20, 31] },
  ],
  bounds: { left: -4, top: -3, right: 5, bottom: 5 },
  ...more,
});

describe("the scorecard", () => {
  it("gives who has as many points the same place", () => {
    expect(cardOf(facts()).ranks.map(({ place, score }) => [place, score])).toEqual([[1, 91], [2, 84], [2, 84]]);
  });
  it("has everything below each other, inside the picture, and taller than wide", () => {
    for (const players of [0, 1, 2, 6]) {
      const some = facts({
        players: Array.from({ length: players }, (_, i) => ({ colour: `c${i}`, name: `Player ${i}`, score: 10 * i })),
        rows: [{ label: "Cities", points: new Array<number>(players).fill(3) }],
      });
      const card = cardOf(some);
      const boxes = [...card.ranks.map(({ box }) => box), card.table, card.board];
      boxes.forEach((box, i) => {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(CARD_WIDTH);
        if (i > 0) expect(box.y).toBeGreaterThanOrEqual(boxes[i - 1]!.y + boxes[i - 1]!.height);
        expect(box.y + box.height).toBeLessThan(card.height);
      });
      expect(card.title.y).toBeLessThan(card.facts.y);
      const xs = card.columns.map(({ x }) => x);
      expect(xs.every((x) => x > card.table.x + 250 && x < card.table.x + card.table.width - 40)).toBe(true);
    }
    expect(cardOf(facts()).height).toBeGreaterThan(1350);
  });
  it("is never written smaller than a phone shows legibly", () => {
    const long = "Maximiliane Charlotte Wilhelmine von und zu Hohenstein";
    const card = cardOf(facts({ title: long.repeat(3), players: [{ colour: "red", name: long, score: 1 }], rows: [{ label: "Other reasons altogether", points: [1] }] }));
    const sizes = [card.title, card.facts, ...card.ranks.map(({ name }) => name), ...card.rows.map(({ label }) => label)].map(({ size }) => size);
    // On a phone that is 390 wide: nine points and more.
    expect(Math.min(...sizes) * (390 / CARD_WIDTH)).toBeGreaterThan(9);
  });
  it("writes smaller where the room is short, and then cuts", () => {
    expect(fitted("Anna", 500, 50, 32, 0, 0)).toEqual({ text: "Anna", size: 50, x: 0, y: 0 });
    const smaller = fitted("Maximiliane Hohenstein", 500, 50, 32, 0, 0);
    expect(smaller.text).toBe("Maximiliane Hohenstein");
    expect(smaller.size).toBeLessThan(50);
    const cut = fitted("Maximiliane Charlotte Wilhelmine von Hohenstein", 500, 50, 32, 0, 0);
    expect(cut.size).toBe(32);
    expect(cut.text).toMatch(/^Maximiliane.*…$/);
    // By letters, not by halves of them.
    expect(fitted("🏰".repeat(40), 300, 50, 32, 0, 0).text).toMatch(/^🏰+…$/u);
  });
  it("shows the whole board, as wide as the card, at most as high", () => {
    const { board, viewBox } = cardOf(facts());
    expect(viewBox).toBe("-414 -314 928 828");
    expect(board.width).toBe(CARD_WIDTH - 96);
    expect(cardOf(facts({ bounds: { left: 0, top: 0, right: 2, bottom: 30 } })).board.height).toBe(board.width);
    expect(cardOf(facts({ bounds: { left: 0, top: 0, right: 30, bottom: 2 } })).board.height).toBe(420);
  });
});
