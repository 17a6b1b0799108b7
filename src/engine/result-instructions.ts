const instructions = `

---
To finish, make your last message one JSON object and nothing else:

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
