import type { TranscriptFile, Transcripts } from "./ports.ts";
import { TranscriptSource } from "./source.ts";
import { keyOf } from "./write-transcript.ts";

/** A transcript, and those of the agents that worked for it. */
export interface TranscriptGroup {
  main: TranscriptFile;
  subagents: TranscriptFile[];
}

/** Oldest first, so that a message that was copied counts where it was first. A subagent without its session stands alone. */
export function groupFiles(files: TranscriptFile[]): TranscriptGroup[] {
  const groups = new Map<string, TranscriptGroup>();
  const sorted = files.toSorted((a, b) => a.writtenMs - b.writtenMs);
  const nameOf = ({ engine, about, path }: TranscriptFile): string => keyOf(engine, about.session ?? path);
  for (const main of sorted) if (!main.about.parent) groups.set(nameOf(main), { main, subagents: [] });
  for (const file of sorted) {
    const { parent } = file.about;
    if (!parent) continue;
    const group = groups.get(keyOf(file.engine, parent));
    if (group) group.subagents.push(file);
    else groups.set(nameOf(file), { main: file, subagents: [] });
  }
  return [...groups.values()];
}

/** Some engines tell only inside a file whose subagent it is of. Reads the beginnings of those that are news. */
export function withParents(
  transcripts: Transcripts,
  files: TranscriptFile[],
  isNews: (file: TranscriptFile) => boolean,
): TranscriptFile[] {
  return files.map((file) => {
    if (file.about.parent !== "" || !isNews(file)) return file;
    const source = new TranscriptSource(transcripts, file);
    try {
      source.readHead();
      return { ...file, about: source.about };
    } catch {
      // What is wrong with it is told when it is read as a whole.
      return file;
    } finally {
      source.close();
    }
  });
}
