/** Programs that git would start for a question: a repository's settings name them, and a step may have set them. */
const programs = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "diff.external="];

export const withoutPrograms = programs.flatMap((setting) => ["-c", setting]);
