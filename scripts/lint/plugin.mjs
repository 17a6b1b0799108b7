/** @typedef {{ type: string, callee: { type: string, name?: string }, arguments: unknown[] }} Call */
/** @typedef {{ report(problem: { node: Call, message: string }): void }} Context */

/** Rules of our own, loaded by .oxlintrc.json. */
export default {
  meta: { name: "clew" },
  rules: {
    // `new Date(text)` is a value; `new Date()` and `Date()` read the clock, which belongs to adapters.
    "no-clock": {
      create(/** @type {Context} */ context) {
        const check = (/** @type {Call} */ node) => {
          const isDate = node.callee.type === "Identifier" && node.callee.name === "Date";
          if (isDate && (node.type === "CallExpression" || node.arguments.length === 0)) {
            context.report({ node, message: "This reads the clock. Take the time as an argument." });
          }
        };
        return { NewExpression: check, CallExpression: check };
      },
    },
  },
};
