import type { VerbOutput } from "claw-contract";
import { handle } from "../runtime/handle.ts";

type Step = VerbOutput<"bootstrap-graph">["steps"][number];

const inCall = (name: string): Step => ({ name, when: "call", source_hint: "docs/ARCHITECTURE.md#the-path-of-a-call" });

const turnStep = (name: string, section: string): Step => ({ name, when: "turn", source_hint: `docs/${section}` });

/** Steps in the order in which they happen. */
const STEPS: readonly Step[] = [
  inCall("split the command line"),
  inCall("decide format and envelope"),
  inCall("learn which values are secret"),
  inCall("find the verb and read its input"),
  inCall("start the clock and heed signals"),
  inCall("check the working folder"),
  inCall("open the session store"),
  inCall("load the handler of the verb"),
  turnStep("read and merge the settings", "agent.md#settings-and-trust"),
  turnStep("choose model and permission mode", "agent.md#models"),
  turnStep("list commands and skills", "chat.md#commands"),
  turnStep("open tools and the judge of permissions", "agent.md#permissions"),
];

export const handler = handle("bootstrap-graph", {
  run: () => ({
    stages: STEPS.map(({ name }) => name),
    steps: [...STEPS],
    note: "Every call has the stages of a call; a verb that runs the agent has those of a turn behind them.",
  }),
  show: ({ steps, note }, paint) =>
    [
      ...steps.map(({ name, when }, index) => `${String(index + 1).padStart(2)}. ${name} ${paint.dim(`(${when})`)}`),
      "",
      note,
    ].join("\n"),
});
