/** What can go wrong where a run is named: by its id, the beginning of one, its bead, or `latest`. */
export const lookupErrors = [
  "unknown_run",
  "ambiguous_run",
  "unknown_bead",
  "ambiguous_bead",
  "damaged_run",
  "damaged_beads",
] as const;
