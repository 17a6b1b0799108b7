/** What a workflow in markup may have; `docs/formats/workflow.md` names them. Bytes, nodes and what all grimoires share are in `grimoireLimits`. */
export const markupLimits = {
  /** Of one heading's name, agent or channel. */
  nameChars: 200,
  /** Nodes or things that one line names. */
  namesInLine: 100,
  /** Things that one node creates: a list may go on over many lines. */
  creates: 200,
  edges: 10_000,
  /** Of one node: an `Otherwise` repeats every one before it. */
  conditions: 200,
  /** All conditions of a workflow together: an `Otherwise` may lead to many nodes. */
  conditionChars: 1_000_000,
  /** Where all nodes find what they take, together: each asks every node before it that creates the thing. */
  takenChars: 1_000_000,
  /** Names that get a suggestion: each is compared with those of all nodes. */
  suggestions: 20,
  suggestedChars: 100,
  /** Cycles that are told. */
  cycles: 20,
  /** Lists and quotations inside each other, in which a block of code is looked for. */
  containers: 20,
} as const;
