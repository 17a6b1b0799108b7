/** What the program knows of itself. */
export interface Program {
  version: string;
  /** The folder of the grimoires and spells that come with it. */
  builtins: string;
  /** The folder of the engines that come with it. */
  engines: string;
}
