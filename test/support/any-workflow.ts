import * as fc from "fast-check";

// Texts of workflows, sound and broken, for property tests.

const name = fc.constantFrom("Plan", "Build", "Check", "Bauen é", "日本語", "After calm", "A|B", "Otherwise", "x.y");
const names = fc.array(name, { minLength: 1, maxLength: 3 }).map((each) => each.join(", "));
const arrow = fc.constantFrom(" → ", " -> ", "→", "->", " →");
const data = fc.constantFrom("plan", "tests::Test[]", "notes::Text", "bead", "nothing", "a b", "1x", "x::", "é");
const word = fc.constantFrom("text", "é", "`a → b`", "{{.bead.id}}", "{{", "}}", "|", "→", "😀", "\t", "\u2028", "\r");
const prose = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));

const heading = fc
  .tuple(
    fc.constantFrom("#", "##", "###", "####", "######", "#######"),
    fc.constantFrom(" ", " ", " ", "", "\t"),
    name,
    fc.constantFrom("", " @coder", " @sh", " @bash", " @é", " @a @b"),
    fc.constantFrom("", " #team", " #a #b"),
    fc.constantFrom("", " !", " ?", "!", " !?", " ##"),
  )
  .map((parts) => parts.join(""));

const flow = fc
  .tuple(fc.array(names, { minLength: 1, maxLength: 4 }), arrow)
  .map(([stages, between]) => stages.join(between));

const branch = fc
  .tuple(
    fc.constantFrom("", "", "- ", "> "),
    fc.oneof(
      fc.constantFrom("Otherwise", "If it looks fine", "If {{true}}", "If {{a", "If", 'If {{eq "→" "x"}}'),
      fc.tuple(name, fc.constantFrom("success", "failed", "done")).map(([node, how]) => `If ${node}.${how}`),
    ),
    arrow,
    fc.constantFrom("proceed to ", "", "Proceed to"),
    names,
  )
  .map((parts) => parts.join(""));

const dataLines = fc
  .tuple(
    fc.array(data, { minLength: 1, maxLength: 3 }),
    arrow,
    fc.constantFrom("creates:", "creates nothing", "creates", "creates: x"),
    fc.array(data, { maxLength: 3 }),
    fc.constantFrom("", "\n"),
  )
  .map(([takes, between, creates, items, gap]) =>
    [`Takes ${takes.join(", ")}${between}${creates}${gap}`, ...items.map((item) => `- ${item}`)].join("\n"),
  );

const fence = fc
  .tuple(
    fc.constantFrom("```", "````", "~~~", "~~~~~~", "``", "   ```", "    ```", "- ```", "> ~~~"),
    fc.constantFrom("", "sh", "bash", "spell", "step", "session-toon", "js x", " é"),
    fc.array(
      fc.constantFrom(
        "echo hi",
        "## No @node",
        "a → b",
        "```",
        "~~~",
        "    ```",
        "> ```",
        "- ~~~",
        "",
        "timeout: 5s",
        'when: "{{true}}"',
        "x: [",
        "é: 1",
      ),
      {
        maxLength: 3,
      },
    ),
    fc.boolean(),
  )
  .map(([mark, info, lines, isClosed]) => [mark + info, ...lines, ...(isClosed ? [mark] : [])].join("\n"));

const block = fc.oneof(
  { weight: 4, arbitrary: heading },
  { weight: 2, arbitrary: flow },
  { weight: 2, arbitrary: branch },
  { weight: 2, arbitrary: dataLines },
  { weight: 3, arbitrary: fence },
  { weight: 2, arbitrary: prose },
  fc.constantFrom(
    "",
    "",
    "\n",
    "| a | b → c |",
    "- item → item",
    "> quoted",
    "<!--",
    "-->",
    "<!-- x -->",
    "<pre>",
    "> ```",
    "---",
    "1. one",
  ),
);

const head = fc.constantFrom(
  "---\ntype: workflow\n---\n",
  "---\ntype: workflow\nname: any\ntimeout: 5m\n---\n",
  "---\ntype: workflow\ncustom: {a: [1, é]}\n---\n",
  "---\ntype: other\n---\n",
  "---\ntype: workflow\n",
  "---\n[\n---\n",
  "",
);

const broken = fc.tuple(head, fc.array(block, { maxLength: 12 })).map(([top, blocks]) => top + blocks.join("\n"));

/** Nodes that follow each other, each with what one may have. */
const sound = fc
  .array(
    fc.record({
      agent: fc.constantFrom(" @coder", "", " @sh", " @bash"),
      channel: fc.constantFrom("", " #team"),
      mark: fc.constantFrom("", " !", " ?"),
      level: fc.constantFrom("##", "###", "####"),
      text: fc.constantFrom("", "Do it.\n\n", "Do it.\n\n````md\n```\nx\n```\n````\n\n", "| a → b |\n\n"),
      data: fc.constantFrom("", "Takes bead → creates:\n- plan\n\n", "Takes plan -> creates nothing\n\n"),
      guard: fc.constantFrom("", "success", "failed"),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((nodes) =>
    nodes
      .map(({ agent, channel, mark, level, text, data: given, guard }, at) => {
        const shell = agent === " @sh" || agent === " @bash" ? `\`\`\`${agent.slice(2)}\necho ${at}\n\`\`\`\n\n` : "";
        const next = at + 1 < nodes.length ? `Nœd ${at + 1}` : undefined;
        const branches = guard !== "" && next !== undefined ? `If Nœd ${at}.${guard} → proceed to ${next}\n\n` : "";
        return `${level} Nœd ${at}${agent}${channel}${mark}\n\n${text}${shell}${given}${branches}`;
      })
      .join(""),
  )
  .map((nodes) => `---\ntype: workflow\nname: any\n---\n# Title\n\n${nodes}`);

/** A workflow's text with any ends of lines, with or without a byte order mark, cut anywhere or not. */
export const anyWorkflowText: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(broken, sound), fc.constantFrom("\n", "\n", "\r\n"), fc.constantFrom("", "", "\uFEFF"), fc.nat(2000))
  .map(([text, end, mark, cut]) => {
    const ended = mark + text.replaceAll("\n", end);
    return cut < 400 ? ended.slice(0, cut).toWellFormed() : ended;
  });
