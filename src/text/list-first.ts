/** The first of many: `a, b and 3 more`. */
export function listFirst(items: readonly string[], limit: number): string {
  const more = items.length > limit ? ` and ${items.length - limit} more` : "";
  return items.slice(0, limit).join(", ") + more;
}
