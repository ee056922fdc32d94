import type { VerbOutput } from "claw-contract";
import { handle } from "../runtime/handle.ts";

type Step = VerbOutput<"bootstrap-graph">["steps"][number];

const inCall = (name: string, file: string): Step => ({
  name,
  when: "call",
  source_hint: `packages/claw/src/${file}`,
});

const turnStep = (name: string, file: string): Step => ({ ...inCall(name, file), when: "turn" });

/** Steps in the order in which they happen. */
const STEPS: readonly Step[] = [
  inCall("split the command line", "cli/arguments/split-rest.ts"),
  inCall("decide format and envelope", "cli/channel.ts"),
  inCall("learn which values are secret", "cli/main.ts"),
  inCall("find the verb and read its input", "cli/arguments/parse-call.ts"),
  inCall("start the clock and heed signals", "cli/deadline.ts"),
  inCall("check the working folder", "cli/open-cwd.ts"),
  inCall("open the session store", "sessions/session-store.ts"),
  inCall("load the handler of the verb", "verbs/runtime/run-verb.ts"),
  turnStep("read and merge the settings", "settings/load-settings.ts"),
  turnStep("choose model and permission mode", "verbs/agent/choose-model.ts"),
  turnStep("list commands and skills", "verbs/agent/slash-commands/list-commands.ts"),
  turnStep("open tools and the judge of permissions", "verbs/agent/open-agent.ts"),
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
