// Apart from the schemas, which take long to load: every command asks whether a session has turns.

/**
 * The name of a turn's folder: `02`, the turns of a branch `02-branch-01`, those after it `02-branch-01-03`, and so on. It becomes a path.
 */
export const turnNamePattern = /^\d{2,4}(?:-branch-\d{2,4}(?:-\d{2,4})?)*$/;
