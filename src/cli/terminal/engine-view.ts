import type { EngineFinding, ListedEngine } from "../../contract/api/engine.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { viewFinding } from "./finding-view.ts";
import { table, type Cell, type Column } from "./table.ts";
import { wrapLines } from "./wrap.ts";

const columns: Column[] = [
  { title: "ENGINE", isId: true },
  { title: "VERSION" },
  { title: "LOGGED IN" },
  { title: "MESSAGES", givesWay: 1 },
  { title: "LIMITS", givesWay: 2 },
  { title: "CAN", wraps: Infinity },
];

const limitWords: Record<ListedEngine["limits"], string> = {
  while_it_works: "at work",
  between_rounds: "per round",
  never: "never",
};

/** One row each, and below the table what helps those that cannot be used. */
export function viewEngines(screen: Screen, engines: ListedEngine[]): string {
  const rows = engines.map((each) => rowOf(screen, each));
  const fixes = engines.flatMap(({ name, fix, problem, available }) => {
    if (fix === undefined) return [];
    const words =
      available && problem?.startsWith("untested") ? `${name}: ${problem}: ${fix}` : `To use ${name}: ${fix}`;
    return wrapLines(screen, cleanLine(words));
  });
  return [table(screen, columns, rows), ...(fixes.length === 0 ? [] : ["", ...fixes])].join("\n");
}

function rowOf({ colors }: Screen, engine: ListedEngine): Cell[] {
  const { name, version, available, logged_in, messages, limits, can, problem } = engine;
  const isMissing = engine.path === null;
  const paint = isMissing ? colors.dim : available ? colors.bold : colors.red;
  const lacks = Object.entries(can).flatMap(([ability, has]) => (has ? [] : [abilityWords(ability)]));
  const abilities = Object.entries(can).flatMap(([ability, has]) => (has ? [abilityWords(ability)] : []));
  const without = lacks.length === 0 ? "" : `; no ${lacks.join(", ")}`;
  return [
    { text: cleanLine(name), paint },
    version === null ? { text: "–", paint: colors.dim } : cleanLine(version),
    logInCell(colors, logged_in),
    messages,
    limitWords[limits],
    available ? `${abilities.join(", ")}${without}` : { text: cleanLine(problem ?? ""), paint: colors.dim },
  ];
}

function abilityWords(ability: string): string {
  return ability.replace("_", " ");
}

function logInCell(colors: Screen["colors"], loggedIn: boolean | null): Cell {
  if (loggedIn === null) return { text: "?", paint: colors.dim };
  return loggedIn ? { text: "yes", paint: colors.green } : { text: "no", paint: colors.yellow };
}

interface Examination {
  engine: string;
  usable: boolean;
  findings: EngineFinding[];
}

/** A line for each check, by engine, and what that comes to. */
export function viewExamination(screen: Screen, { engine, usable, findings }: Examination): string {
  const { colors } = screen;
  const names = [...new Set(findings.map((each) => each.engine))];
  const blocks = names.map((name) =>
    [
      colors.bold(cleanLine(name)),
      ...findings.filter((each) => each.engine === name).map((each) => viewFinding(screen, each)),
    ].join("\n"),
  );
  const verdict = usable
    ? colors.green(`✓ ${cleanLine(engine)} can be used.`)
    : colors.red(`✗ ${cleanLine(engine)} cannot be used like this.`);
  return [...blocks, verdict].join("\n\n");
}
