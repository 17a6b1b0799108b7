import type { Place } from "../../contract/problem.ts";
import type { LineIndex } from "../text/line-index.ts";
import { sourceOffset } from "./source-offset.ts";
import type { Path, YamlTree } from "./yaml-tree.ts";

/** Where things stand in a grimoire's file. */
export interface Places {
  /** The value at a path such as `["steps", 0, "command"]`; its key when it has no value; else its nearest parent. */
  of(path: Path): Place;
  /**
   * A line and column inside the text at a path, both from 1. Exact where each character of the text stands in the file
   * as itself or as one escape; where YAML folds lines, the breaks themselves are as near as can be.
   */
  within(path: Path, line: number, column: number): Place;
}

export function placesOf(tree: YamlTree, source: string, lines: LineIndex): Places {
  const of = (path: Path): Place => lines.placeOf(tree.offsetOf(path));
  return {
    of,
    within(path, line, column) {
      const text = tree.textAt(path);
      return text === undefined ? of(path) : lines.placeOf(sourceOffset(text, source, lines, { line, column }));
    },
  };
}

/** For a file of which nothing could be read. */
export const noPlaces: Places = {
  of: () => ({ line: 1, column: 1 }),
  within: () => ({ line: 1, column: 1 }),
};
