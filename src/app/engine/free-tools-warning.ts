/** What to say when an agent is to use certain tools alone, and its engine cannot be told so. */
export function freeToolsWarning(engine: string): string {
  return `tools of the agent's file does not hold here: ${engine} cannot be kept to a list of tools; its level does`;
}
