import type { Overview } from "../../contract/api/status.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { viewCommands } from "./run-wait-view.ts";

type NextCommand = [command: string, what: string];

/** What a person would do next, as things stand; few, and the first the most likely. */
export function nextCommands({ needs_you, running, ready, ended }: Overview, hasDaemon: boolean): NextCommand[] {
  const next: NextCommand[] = [];
  if (needs_you.length > 0) next.push(["clew inbox", "all questions, in full"]);
  const run = running.find((each) => !("session_id" in each));
  if (run && !("session_id" in run)) {
    if (run.status === "interrupted") next.push([`clew run resume ${run.id}`, "go on with what was interrupted"]);
    else next.push([`clew run log ${run.id} -f`, "watch it work"]);
  }
  const [first] = ready;
  if (first) next.push([`clew run ${cleanLine(first.id)}`, "work on the most urgent bead"]);
  if (hasDaemon && ready.length > 0) next.push(["clew daemon status", "the daemon, which takes up what is ready"]);
  else if (ready.length > 1) next.push(["clew daemon run", "work on all that is ready"]);
  const [last] = ended;
  if (last && next.length < 3) next.push([`clew session show ${last.session_id}`, "what ended last"]);
  if (!first) next.push(['clew bead create "What is to be done"', "a task to work on"]);
  if (running.length === 0) next.push(['clew session start "What you are about to do"', "keep a record of your work"]);
  return next.slice(0, 4);
}

export function viewNextCommands(screen: Screen, commands: NextCommand[]): string {
  return [screen.colors.bold("Next"), ...commandLines(screen, commands)].join("\n");
}

function commandLines(screen: Screen, commands: NextCommand[]): string[] {
  return viewCommands(screen, commands).map((line) => line.replace(/^ {2}/, ""));
}

/** What `clew` alone shows where there is nothing to report yet. */
export function viewWelcome(screen: Screen, place: "repository" | "elsewhere"): string {
  const situation =
    place === "repository"
      ? "This repository has no .clew/ yet. To begin:"
      : "There is no git repository here. Go to one, or make one with git init; then:";
  const commands: NextCommand[] = [
    ["clew init", "set up .clew/, with what git ignores"],
    ['clew session start "Fix the login"', "a record of what you, or an agent, do"],
    ['clew bead create "Fix the login"', "a task that a run can work on"],
    ["clew demo", "see all of it in a throw-away repository"],
  ];
  return [
    screen.colors.bold("Clew, the thread through agents' work"),
    "",
    situation,
    ...commandLines(screen, commands),
    "",
    "clew --help lists all commands.",
  ].join("\n");
}
