import type { DemoStage } from "./stage.ts";

/** What the run's session teaches, and the same way of working on the next task: the loop closes. */
export async function tellCodify(stage: DemoStage, bead: string, engine: string | undefined): Promise<void> {
  const session = idIn(stage.run(["session", "list", "--kind", "run", "--json"], ""), "sessions", "session_id");
  await stage.tell(
    "18. What went wrong teaches. A failure and what mended it is a case, with the line of session.md for each part; cases can be written for tuning and for evaluation.",
  );
  await stage.clew("session learn");

  await stage.tell(
    `19. What went right can be done again. The session of ${bead} becomes a workflow: a file that you read, change and commit.`,
  );
  const next = idIn(stage.run(["bead", "ready", "--json"], ""), "beads", "id");
  await stage.clew(`session codify ${session} -o .clew/grimoires/as-before.yaml`);
  await stage.clew("grimoire show as-before");
  // A person's own engine has cost enough.
  if (engine !== undefined) return;

  await stage.tell("20. The next task is done that way.");
  stage.write(".clew/demo-engine.yaml", script);
  await stage.follow(4, `run ${next} --grimoire as-before`);
  await stage.follow(0, `run approve ${next}`);
  await stage.clew("session stats --since 1d --chart");
}

/** The newest of what a command lists. */
function idIn(json: string, list: string, field: string): string {
  const { [list]: items = [] } = JSON.parse(json) as Record<string, Record<string, string>[]>;
  return items[0]![field]!;
}

const script = `turns:
  - when: Announce it
    say: I wrote the news.
    write: {path: news.txt, content: "The login page now says why you were logged out.\\n"}
    usage: {input: 1400, output: 90}
    result: {success: true, summary: The news are written.}
`;
