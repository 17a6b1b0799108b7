/** What a service runs: the program and its arguments, where, and with which search path. */
export interface ServiceFacts {
  root: string;
  command: string[];
  path: string;
}
