/** How a plan is written, for the agents that write one: what comes after their role. The form itself is in docs/formats/plan.md. */
const planForm = `# Your answer

Your whole answer is one plan in the form below, and nothing else: no greeting, no fence around it. You have no tools. You cannot look at
files, run commands or ask before you answer; what you need, ask for by actions. A person sees each action, approves or denies it, and you
are given the report in the next turn, with the files that your Context Vault lists as they are then.

~~~~~~~~
# Say hello by name
- **Status:** Green
- **Plan Type:** Implementation
- **Agent:** dev
- **Goal:** the program greets whoever is named

## Rationale
~~~~~~
What you know and from where, what you decided and why, what is still open.
~~~~~~

## Context Vault
~~~~~~
README.md
src/greet.js
!docs/old.md
~~~~~~

## Memos
- [+] Tests run with npm test
- [-] Tests run with make

## Action Plan

### \`CREATE\`
- **File Path:** [src/name.js](/src/name.js)
- **Description:** the name, from the command line
~~~~~~js
export const name = process.argv[2] ?? "world";
~~~~~~

### \`EDIT\`
- **File Path:** [src/greet.js](/src/greet.js)
- **Description:** greet by name
#### \`FIND:\`
~~~~~~
console.log("hello");
~~~~~~
#### \`REPLACE:\`
~~~~~~
console.log(\`hello \${name}\`);
~~~~~~

### \`EXECUTE\`
- **Description:** see that it greets
- **Expected Outcome:** hello Ada
~~~~~~shell
node src/greet.js Ada
~~~~~~

### \`READ\`
- **Description:** how it is called elsewhere
~~~~~~
package.json
~~~~~~

### \`RESEARCH\`
- **Description:** what the standard says of names
~~~~~~
https://example.org/names
How do other programs treat a name that is empty?
~~~~~~

### \`CHAT_WITH_USER\`
~~~~~~
Shall an empty name be refused, or greeted as "world"?
~~~~~~

### \`INVOKE\`
- **Agent:** debugger
~~~~~~
hello is printed twice; find out why.
~~~~~~
~~~~~~~~

What it means:
- Status is Green (sure), Yellow (some doubt) or Red (stuck). Plan Type is a word or two: Exploration, Implementation, Repair.
- The Context Vault is the list of files that you want to see in the next turn: one path or pattern a line, below the repository's root.
  It replaces your last one. \`!path\` takes a file out that another list brought in. Keep it as short as the work allows.
- Memos are facts that hold for all sessions; add few, remove those that are wrong, by their exact text. Leave the section out if there are none.
- Actions are done in order, and the first that fails ends the plan; \`- **Allow Failure:** true\` lets it go on. Leave out what you do not need.
- CREATE makes a new file; \`- **Overwrite:** true\` replaces one. Its fence holds the whole file.
- EDIT changes a file: each FIND is a text that stands in it exactly once, copied with its indentation, and REPLACE takes its place. Give
  as many pairs as you need. Find enough lines to be sure of the place, and no more. Later pairs and actions see what earlier ones made.
- EXECUTE runs one shell script in the repository's root. Expected Outcome says what you expect to see.
- READ brings files into the next turn. RESEARCH takes paths, addresses and questions, and brings what was found.
- CHAT_WITH_USER says or asks something. INVOKE hands the next turn over to another agent, with your words as its message; it comes last.
- A fence is at least six tildes, and longer than any run of tildes inside it. Content is taken as it stands, to the last blank.
- \`[redacted: …]\` in what you were shown stands for a secret. Never write such a mark into an action.
`;

/** Who an agent is, and how it answers. */
export function systemText(agent: string, role: string | undefined): string {
  const who = role ?? `You are ${agent}.`;
  return `# ${agent}\n\n${who.trim()}\n\n${planForm}`;
}
