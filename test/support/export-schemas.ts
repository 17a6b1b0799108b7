import * as z from "zod";

// What the documented formats allow, written from their descriptions. No public validator of them is an npm package.

const metadata = z.record(z.string(), z.unknown());
const filled = z.string().min(1);
const functionName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

/** Messages whose calls are answered one by one; only those of the last message are not. */
function messagesWith<Args extends z.ZodType, Answer extends z.ZodRawShape>(args: Args, answer: Answer) {
  const call = z.strictObject({
    id: filled,
    type: z.literal("function"),
    function: z.strictObject({ name: functionName, arguments: args }),
  });
  const message = z.union([
    z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: filled }),
    z.strictObject({ role: z.literal("assistant"), content: z.string(), tool_calls: z.array(call).min(1) }),
    z.strictObject({ role: z.literal("tool"), tool_call_id: filled, content: filled, ...answer }),
  ]);
  return z
    .array(message)
    .min(1)
    .superRefine((found, issues) => {
      const all = found as { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[];
      const complain = (text: string): void => issues.addIssue({ code: "custom", message: text });
      let asked: string[] = [];
      for (const { role, tool_call_id, tool_calls } of all) {
        if (role === "tool" && asked.shift() !== tool_call_id) complain("an answer to no call");
        if (role !== "tool" && asked.length > 0) complain("a call without an answer");
        if (tool_calls) asked = tool_calls.map(({ id }) => id);
      }
      const roles = all.map(({ role }) => role);
      if (roles.some((role, at) => role !== "tool" && role === roles[at + 1])) complain("the same role twice in a row");
    });
}

const tools = z
  .array(
    z.strictObject({
      type: z.literal("function"),
      function: z.strictObject({
        name: functionName,
        parameters: z.strictObject({ type: z.literal("object"), properties: z.record(z.string(), z.unknown()) }),
      }),
    }),
  )
  .min(1)
  .optional();

const json = z.string().refine((text) => typeof JSON.parse(text) === "object");

/** Chat tuning, in OpenAI's form: the last message is what is learned. */
export const chatLine = z
  .strictObject({ messages: messagesWith(json, {}), tools, metadata })
  .refine(({ messages: all }) => all.at(-1)?.role === "assistant");

/** Preference tuning, in TRL's form. */
const trlMessages = messagesWith(z.record(z.string(), z.unknown()), { name: functionName });
export const preferenceLine = z.strictObject({
  prompt: trlMessages,
  chosen: trlMessages,
  rejected: trlMessages,
  tools,
  metadata,
});

const extra = z.record(z.string(), z.unknown()).optional();
const text = z.string();
const step = z
  .strictObject({
    step_id: z.int().min(1),
    source: z.enum(["system", "user", "agent"]),
    message: text,
    timestamp: z.iso.datetime().optional(),
    model_name: text.optional(),
    reasoning_effort: text.optional(),
    reasoning_content: text.optional(),
    tool_calls: z
      .array(z.strictObject({ tool_call_id: text, function_name: text, arguments: z.record(text, z.unknown()) }))
      .optional(),
    observation: z
      .strictObject({
        results: z.array(
          z.strictObject({
            source_call_id: text.optional(),
            content: text.optional(),
            subagent_trajectory_ref: z
              .array(z.strictObject({ trajectory_id: text.optional(), trajectory_path: text.optional() }))
              .optional(),
          }),
        ),
      })
      .optional(),
    metrics: z
      .strictObject({
        prompt_tokens: z.int().optional(),
        completion_tokens: z.int().optional(),
        cached_tokens: z.int().optional(),
        cost_usd: z.number().optional(),
        extra,
      })
      .optional(),
    llm_call_count: z.int().optional(),
    is_copied_context: z.boolean().optional(),
    extra,
  })
  .superRefine(({ source, tool_calls, observation, metrics, model_name }, issues) => {
    const complain = (message: string): void => issues.addIssue({ code: "custom", message });
    if (source !== "agent" && (tool_calls ?? metrics ?? model_name) !== undefined) complain("a field of agents alone");
    const calls = new Set(tool_calls?.map(({ tool_call_id }) => tool_call_id));
    if (calls.size !== (tool_calls?.length ?? 0)) complain("two calls with the same id");
    for (const { source_call_id } of observation?.results ?? [])
      if (source_call_id !== undefined && !calls.has(source_call_id)) complain(`${source_call_id} is of no call here`);
  });

interface Trajectory {
  trajectory_id?: string | undefined;
  steps: z.infer<typeof step>[];
  subagent_trajectories?: Trajectory[] | undefined;
}

/** ATIF v1.7: unknown fields are refused outside `extra`. */
export const trajectory: z.ZodType<Trajectory> = z
  .strictObject({
    schema_version: z.literal("ATIF-v1.7"),
    session_id: text.optional(),
    trajectory_id: text.optional(),
    agent: z.strictObject({
      name: text.min(1),
      version: text.min(1),
      model_name: text.optional(),
      tool_definitions: z.array(z.unknown()).optional(),
      extra,
    }),
    steps: z.array(step).min(1),
    notes: text.optional(),
    final_metrics: z
      .strictObject({
        total_prompt_tokens: z.int().optional(),
        total_completion_tokens: z.int().optional(),
        total_cached_tokens: z.int().optional(),
        total_cost_usd: z.number().optional(),
        total_steps: z.int().optional(),
        extra,
      })
      .optional(),
    continued_trajectory_ref: text.optional(),
    get subagent_trajectories() {
      return z.array(trajectory).optional();
    },
    extra,
  })
  .superRefine(({ steps, subagent_trajectories = [] }, issues) => {
    const complain = (message: string): void => issues.addIssue({ code: "custom", message });
    if (steps.some(({ step_id }, at) => step_id !== at + 1)) complain("steps are numbered from 1 without a gap");
    const ids = subagent_trajectories.map(({ trajectory_id }) => trajectory_id);
    if (ids.includes(undefined) || new Set(ids).size !== ids.length) complain("subagents need ids of their own");
    const refs = steps.flatMap(({ observation }) => observation?.results ?? []);
    for (const { subagent_trajectory_ref: found = [] } of refs)
      if (found.some(({ trajectory_id }) => !ids.includes(trajectory_id))) complain("a reference leads nowhere");
  });
