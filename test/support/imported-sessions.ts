import type { Repo } from "./repo.ts";

interface Hit {
  session_id: string;
  line: number;
}

/** Places sessions `from … to` as an import would: each says its number, and one of seven a word that they share. */
export function addImported(repo: Repo, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const started = new Date(Date.UTC(2026, 0, 1) + number * 3_600_000).toISOString();
    const shared = number % 7 === 0 ? "shareword" : "other";
    const lines = Array.from({ length: 20 }, (_, at) => `> line ${at} of number${number} ${"filler text ".repeat(20)}`);
    const body = `\n# Imported ${number}\n\n> [!agent]\n> ${shared}\n${lines.join("\n")}\n`;
    repo.place(`${started.slice(0, 10)}-imported-${number}`, { status: "completed", started }, body);
  }
}

export async function searchAll(repo: Repo, word: string): Promise<Hit[]> {
  return (await repo.json<{ hits: Hit[] }>("search", word, "--limit", "1000")).hits;
}

export const numberOf = ({ session_id }: Hit): number => Number(session_id.split("-").at(-1));

/** The numbers below `to`, the largest first. */
export const falling = (to: number): number[] => Array.from({ length: to }, (_, at) => to - 1 - at);
