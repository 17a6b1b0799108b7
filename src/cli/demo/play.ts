import { shellWord } from "../../text/shell-word.ts";
import type { CliContext } from "../context.ts";
import { tellBead } from "./bead-story.ts";
import { tellCodify } from "./codify-story.ts";
import { tellSession } from "./session-story.ts";
import { DemoQuit, DemoStage } from "./stage.ts";
import { tellTurns } from "./turn-story.ts";

interface DemoResult {
  session_id: string;
  bead_id: string;
  /** Where the repository was kept; null when it is gone. */
  root: string | null;
}

interface DemoWishes {
  /** A new folder that the repository stays in. */
  keep: string | undefined;
  /** The person's own engine; the scripted one when undefined. */
  engine: string | undefined;
}

/** The story of one session, of a task that goes from a bead to its merge, of a few turns, and of what comes of it all. */
export async function playDemo(context: CliContext, { keep, engine }: DemoWishes): Promise<DemoResult | undefined> {
  const stage = new DemoStage(context, keep, engine);
  try {
    const session_id = await tellSession(stage, context);
    const bead_id = await tellBead(stage, engine);
    await tellTurns(stage, engine);
    await tellCodify(stage, bead_id, engine);
    await stage.tell(
      "That was one session, one bead from its first line to its merge, through a crash, a plan that you read first, and a workflow made of what worked.",
    );
    await context.output.write(
      stage.isKept
        ? `Look around: cd ${shellWord(stage.root)}, then clew run log ${bead_id}, clew session show latest, clew search expired, clew doctor\n`
        : "To look around in it: clew demo --keep ./clew-demo. In your own repository: clew init, then clew bead create\n",
    );
    return { session_id, bead_id, root: stage.isKept ? stage.root : null };
  } catch (error) {
    if (!(error instanceof DemoQuit)) throw error;
    const rest = stage.isKept ? `What there is so far stays in ${stage.root}.` : "Nothing of it stays.";
    await context.output.write(`\nYou left the demo. ${rest} clew demo begins anew.\n`);
    context.exitCode = 130;
    return undefined;
  } finally {
    stage.tidy();
  }
}
