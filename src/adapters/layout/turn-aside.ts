/** Matches in git's ignore files what is written aside for a turn: `.01.new`, `.02-branch-01.new`. */
export const turnAsideRule = ".[0-9]*.new/";
