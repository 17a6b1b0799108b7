/** As what sessions can be codified: workflow markup, a grimoire, or an Agent Skill. */
export const codifyFormats = ["markup", "grimoire", "skill"] as const;
export type CodifyFormat = (typeof codifyFormats)[number];

/** What a codified workflow is called before it has a file of its own. */
export const workflowFiles = {
  markup: "workflow.md",
  grimoire: "workflow.yaml",
  skill: "SKILL.md",
} as const satisfies Record<CodifyFormat, string>;
