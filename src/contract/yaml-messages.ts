/** What is wrong with a YAML file, in words for the person who wrote it. */
export interface YamlWords {
  message: string;
  hint?: string;
}

/** The words for an error of the parser: one place for all files of YAML, so that the library's own never reach a person. */
export function yamlWords({ code, message }: { code: string; message: string }): YamlWords {
  return byCode[code] ?? byText.find(([pattern]) => pattern.test(message))?.[1] ?? unknownError;
}

const unknownError: YamlWords = {
  message: "something stands here that YAML does not expect",
  hint: "look for a missing colon, quote, comma or bracket, here and in the line above",
};

const oneMark: YamlWords = { message: "only one & and one ! may stand before a value", hint: "put text in quotes" };

const reference: YamlWords = {
  message: "not a name for YAML's & or *",
  hint: "put text that begins with & or * in quotes",
};

const byCode: Record<string, YamlWords> = {
  ALIAS_PROPS: reference,
  BAD_ALIAS: reference,
  BAD_COLLECTION_TYPE: { message: "tags such as this one are not supported", hint: "remove it" },
  BAD_DIRECTIVE: { message: "lines that begin with % are not supported", hint: "remove it" },
  BAD_DQ_ESCAPE: {
    message: "not an escape that YAML knows",
    hint: "write \\\\ for a backslash, or use single quotes",
  },
  BAD_PROP_ORDER: oneMark,
  BAD_SCALAR_START: { message: "text must not begin with this character", hint: "put it in quotes" },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "a list or mapping begins behind a key, on the same line",
    hint: "put text with a colon in quotes; begin lists and mappings on a line of their own",
  },
  BLOCK_IN_FLOW: {
    message: "a second colon, or lines of a list or mapping, stand inside [] or {}",
    hint: "put a comma between entries, or close the bracket before",
  },
  DUPLICATE_KEY: { message: "the same key stands here a second time", hint: "keep one of them" },
  KEY_OVER_1024_CHARS: { message: "a key is longer than 1,024 characters" },
  MULTILINE_IMPLICIT_KEY: { message: "a key goes over several lines", hint: "a colon or a quote may be missing above" },
  MULTIPLE_ANCHORS: oneMark,
  MULTIPLE_DOCS: { message: "a second document begins here", hint: "put each into a file of its own" },
  MULTIPLE_TAGS: oneMark,
  NON_STRING_KEY: { message: "a key must be text", hint: "put it in quotes" },
  RESOURCE_EXHAUSTION: { message: "nested too deeply to be read" },
  TAB_AS_INDENT: { message: "a tab stands in the indentation", hint: "indent with spaces" },
  TAG_RESOLVE_FAILED: { message: "tags such as this one are not supported", hint: "remove it" },
};

/** Where one code stands for several mistakes. */
const byText: [pattern: RegExp, words: YamlWords][] = [
  [/^Missing closing/, { message: "a quote is never closed" }],
  [/^Flow seq.*end with a/i, { message: "a list in [] is never closed", hint: "put a ] behind its last entry" }],
  [/^Flow map.*end with a/i, { message: "a mapping in {} is never closed", hint: "put a } behind its last entry" }],
  [/^Missing ,|Unexpected ,|empty item/, { message: "the entries in [] or {} need one comma between two of them" }],
  [/^Missing space after :/, { message: "a space is missing behind the colon" }],
  [/^Comments must be separated/, { message: "a space is missing before the #", hint: "put text with a # in quotes" }],
  [/^Implicit map keys need/, { message: "a key without a colon and a value", hint: "write `key: value`" }],
  [
    /column|indent/i,
    { message: "the indentation does not fit the lines above", hint: "indent what belongs together alike" },
  ],
];
