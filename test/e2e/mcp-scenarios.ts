import type { FakeScenarioText } from "claw-contract/schemas";

/** An agent that works until a file named `go` is in its folder. */
export const UNTIL_GO: FakeScenarioText = {
  steps: [
    { type: "tool", name: "Bash", input: { command: "make" }, runs: "while [ ! -e go ]; do sleep 0.02; done" },
    { type: "text", text: "It is made." },
  ],
};

/** An agent that asks, and says what it was told. */
export const ASKING: FakeScenarioText = {
  steps: [
    {
      type: "permission",
      tool: "Bash",
      input: { command: "rm -rf build" },
      allowed: [{ type: "text", text: "The build is gone." }],
      denied: [{ type: "text", text: "The build stays." }],
    },
  ],
};
