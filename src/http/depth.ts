import type { Json } from "../contract/json.ts";

/** Deeper values would overflow the stack of what goes through them later. */
export const maxDepth = 100;

/** Whether a value has more levels than this. Goes level by level, so that no depth overflows the stack. */
export function isNestedDeeperThan(value: Json, levels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    level = level.flatMap((each) => Object.values(each).filter(isContainer));
  }
  return level.length > 0;
}

function isContainer(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === "object" && value !== null;
}
