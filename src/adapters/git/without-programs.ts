/** Programs that git would start for a question: a repository's settings name them, and a step may have set them. */
export const withoutPrograms = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
