/** Why something cannot be done, thrown where the place is not known. The executor adds it. */
export class Refusal extends Error {}
