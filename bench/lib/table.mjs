import { withUnit } from "./rows.mjs";

/** @typedef {import("./rows.mjs").Row} Row */

const titles = ["figure", "measured", "floor", "ratio", "at best", "mark", ""];

/**
 * The rows with their columns aligned: names to the left, numbers to the right.
 * @param {Row[]} rows
 * @param {boolean} judged whether it is told if marks are met
 */
export function renderTable(rows, judged) {
  const cells = [titles, ...rows.map((row) => cellsOf(row, judged))];
  const widths = titles.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? "").length)));
  const lines = cells.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  lines.splice(1, 0, "─".repeat(widths.reduce((sum, width) => sum + width + 2, -2)));
  return lines.join("\n");
}

/**
 * @param {Row} row
 * @param {boolean} judged
 */
function cellsOf(row, judged) {
  const met = row.met === null ? "" : judged ? (row.met ? "✓" : "✗") : "–";
  const value = row.unit === "×" ? withUnit(row.value, "×") : "";
  const best = row.best === undefined ? "" : withUnit(row.best, "×");
  return [row.figure, row.measured, row.floor, value, best, markOf(row), met];
}

/** @param {Row} row */
function markOf({ atMost, atLeast, unit }) {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`;
  return atLeast === undefined ? "" : `≥ ${atLeast} ${unit}`;
}
