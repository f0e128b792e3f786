// What a farm's points are for, for showing: farms, and the completed cities that they feed. What
// counts is the engine service's word. Pure.
import { SegmentKind, type ScoreItem, type TileType } from "../gen/tilewarden/v1/game_pb";
import { citiesBeside, featureAt, type Feature } from "./features";
import { cellKey } from "./grid";
import { kindOf } from "./sheet";
import type { View } from "./view";

export interface Fed {
  readonly farms: readonly Feature[];
  readonly cities: readonly Feature[];
  // For each city; undefined where they do not all give the same.
  readonly each: number | undefined;
}

// Undefined: it is not for a farm, or none is found.
export function fedBy(item: ScoreItem, view: View, types: ReadonlyMap<string, TileType>): Fed | undefined {
  if (kindOf(item) !== "field") return undefined;
  const farms: Feature[] = [];
  for (const figure of view.figures) {
    if (figure.feature !== SegmentKind.FIELD || figure.colour !== item.colour || !figure.cell || !figure.spot) continue;
    if (farms.some((farm) => farm.figures.includes(figure))) continue;
    const farm = featureAt(view.tiles, view.figures, types, figure.cell, figure.spot);
    if (farm?.kind === SegmentKind.FIELD) farms.push(farm);
  }
  const cells = new Set(item.cells.map(cellKey));
  const same = (feature: Feature) => feature.cells.length === cells.size && feature.cells.every((cell) => cells.has(cellKey(cell)));
  // One rule pays by farm, another by city, to whoever has the most farmers around it.
  const own = view.rules["farm_scoring"] === "first" ? undefined : farms.find(same);
  const paid = own ? [own] : farms.filter((farm) => citiesBeside(farm, view.tiles, types).some(same));
  const [first] = paid;
  if (!first) return undefined;
  const beside = citiesBeside(first, view.tiles, types);
  const cities = own ? beside : beside.filter(same);
  const each = item.points / cities.length;
  return { farms: paid, cities, each: Number.isInteger(each) && each > 0 ? each : undefined };
}
