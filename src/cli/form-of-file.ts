import { ClewError } from "../contract/errors.ts";
import { cleanLine } from "./terminal/clean.ts";

/** A pattern of files' names, and the forms that such a file may have; the first one where none is asked for. */
export interface FormEnding<Form extends string> {
  name: RegExp;
  forms: readonly [Form, ...Form[]];
}

/**
 * In which form a file is written: as is asked for, else as its name says; undefined where neither tells.
 * Throws when the two disagree: whoever reads the file goes by its name.
 */
export function formOfFile<Form extends string>(
  file: string | undefined,
  asked: { option: string; form: Form | undefined },
  endings: readonly FormEnding<Form>[],
): Form | undefined {
  const { option, form } = asked;
  const forms = endings.find(({ name }) => file !== undefined && name.test(file))?.forms;
  if (form === undefined) return forms?.[0];
  if (file === undefined || forms === undefined || forms.includes(form)) return form;
  throw new ClewError(
    "usage",
    `${cleanLine(file)} is the name of a file in the form ${forms[0]}, and ${option} asks for ${form}`,
    `leave ${option} out, or give the file another ending`,
  );
}
