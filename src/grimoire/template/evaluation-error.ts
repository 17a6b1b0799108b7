/** Thrown where the place in the template is not known. The executor makes a TemplateError of it. */
export class EvaluationError extends Error {}
