/** A text as a name of letters, digits, - and _ with a letter first, at most 64; undefined when it has nothing of the kind. */
export function plainName(text: string): string | undefined {
  const plain = text
    .slice(0, 1000)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9_-]+/)
    .filter((word) => word !== "")
    .join("-");
  if (!/[A-Za-z0-9]/.test(plain)) return undefined;
  return (/^[A-Za-z]/.test(plain) ? plain : `step-${plain}`).slice(0, 64);
}
