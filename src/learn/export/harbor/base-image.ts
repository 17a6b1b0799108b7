/** Which image has what the files of a repository usually need, by a file at its root. */
const imagesByFile: readonly [file: string, image: string][] = [
  ["package.json", "node:22-bookworm"],
  ["Cargo.toml", "rust:1-bookworm"],
  ["go.mod", "golang:1-bookworm"],
  ["pyproject.toml", "python:3.12-bookworm"],
  ["requirements.txt", "python:3.12-bookworm"],
  ["setup.py", "python:3.12-bookworm"],
];

export function baseImage(rootNames: readonly string[]): string {
  return imagesByFile.find(([file]) => rootNames.includes(file))?.[1] ?? "debian:bookworm";
}

/** What may stand behind FROM. */
export function isImageName(name: string): boolean {
  return /^[a-z0-9][\w./:@-]{0,254}$/.test(name);
}
