import { basename, dirname, join } from "node:path";
import { geminiTranscript } from "../../engine/transcript/gemini.ts";
import type { TranscriptReader } from "../../engine/transcript/event.ts";
import { note } from "../../engine/transcript/about.ts";
import { readTrimmed } from "../git/checkout.ts";
import { addFolder, foldersIn, type Listing } from "./list-folder.ts";

/** `tmp/<project>/chats/session-*.jsonl`, and those of subagents in `chats/<id>/`. */
export function listGemini(home: string, roots: string[] | undefined): Listing {
  const listing: Listing = { files: [], skipped: [] };
  for (const project of foldersIn(join(home, "tmp"))) {
    const folder = join(home, "tmp", project);
    const cwd = projectFolder(folder, roots ?? []);
    // A project that does not say where it is may be known by its chats.
    if (roots && cwd !== undefined && !roots.some((root) => cwd === root || cwd.startsWith(`${root}/`))) continue;
    const chats = join(folder, "chats");
    const withSubagents = foldersIn(chats);
    addFolder(listing, "gemini", chats, (name) => {
      if (!/^session-.*\.jsonl$/.test(name)) return undefined;
      // The name ends in the beginning of the session's id; the file itself tells the rest.
      const session = withSubagents.find((id) => name.endsWith(`-${id.slice(0, 8)}.jsonl`));
      return { parent: "", ...(session !== undefined && { session }) };
    });
    addFolder({ files: [], skipped: listing.skipped }, "gemini", chats, (name) => {
      if (!/^session-.*\.json$/.test(name)) return undefined;
      listing.skipped.push({
        path: join(chats, name),
        reason: "is of an earlier version of Gemini, whose chats are not read",
      });
      return undefined;
    });
    for (const session of withSubagents) {
      addFolder(listing, "gemini", join(chats, session), (name) =>
        name.endsWith(".jsonl") ? { session: basename(name, ".jsonl"), parent: session } : undefined,
      );
    }
  }
  return listing;
}

/** The folder of a project: its own file names it, or its name is a hash of it. */
function projectFolder(folder: string, roots: string[]): string | undefined {
  return readTrimmed(join(folder, ".project_root")) ?? roots.find((root) => hashOf(root) === basename(folder));
}

export function geminiReader(path: string, roots: string[]): TranscriptReader {
  const chats = dirname(path);
  const project = dirname(basename(chats) === "chats" ? chats : dirname(chats));
  const reader = geminiTranscript((hash) => roots.find((root) => hashOf(root) === hash));
  note(reader.about, { cwd: projectFolder(project, roots) });
  return reader;
}

function hashOf(folder: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(folder).digest("hex");
}
