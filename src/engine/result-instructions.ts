const instructions = `

---
To finish, give one JSON object as your result: by the tool submit_result of the MCP server clew, if you have it, and in
any case as your last message, with nothing else in it:

    {"success": true, "summary": "…", "outputs": {}}

"success" is false if you could not do what was asked. "summary" tells a person in one to three sentences what you did,
or what is missing. "outputs" holds what you were asked to return, by name.
`;

/** How a spell that tells it in its own words shows the form. */
const resultForm = /\{"success": true, "summary": /;

/** Every prompt tells how to finish, because every step is judged by it. */
export function withResultInstructions(prompt: string): string {
  return resultForm.test(prompt) ? prompt : prompt.trimEnd() + instructions;
}

/** The prompt as its author knows it. */
export function withoutResultInstructions(prompt: string): string {
  return prompt.endsWith(instructions) ? prompt.slice(0, -instructions.length) : prompt;
}
