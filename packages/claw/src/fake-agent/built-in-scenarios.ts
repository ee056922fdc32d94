import type { FakeScenarioText } from "claw-contract/schemas";

/** What a fake agent can play without a file, by name. Data: a file with the same JSON plays the same. */
export const BUILT_IN_SCENARIOS = {
  text: { summary: "Says one sentence.", steps: [{ type: "text", text: "Hello from the fake agent." }] },
  echo: { summary: "Says what it was asked.", steps: [{ type: "text", text: "You asked: {{prompt}}" }] },
  tools: {
    summary: "Thinks, runs a command, writes a file, says so.",
    steps: [
      { type: "thinking", text: "I had better look first." },
      { type: "tool", name: "Bash", input: { command: "ls" }, output: "README.md" },
      {
        type: "tool",
        name: "Write",
        input: { file_path: "{{cwd}}/notes.md", content: "notes\n" },
        output: "File created successfully at: {{cwd}}/notes.md",
      },
      { type: "text", text: "Looked around and wrote notes.md." },
    ],
  },
  "tool-failure": {
    summary: "Runs a command that fails, and says so.",
    steps: [
      { type: "tool", name: "Bash", input: { command: "make" }, output: "Exit code 2\nno rule", failed: true },
      { type: "text", text: "The command failed." },
    ],
  },
  "sub-agent": {
    summary: "Lets a sub-agent do the work and waits for it.",
    steps: [
      {
        type: "sub_agent",
        steps: [
          { type: "tool", name: "Bash", input: { command: "echo 7" }, output: "7" },
          { type: "text", text: "It is 7." },
        ],
        result: "It is 7.",
      },
      { type: "text", text: "The sub-agent says that it is 7." },
    ],
  },
  "background-agent": {
    summary: "Sends a sub-agent off, ends its turn, and comes back to it.",
    steps: [
      { type: "sub_agent", background: true, lasts_ms: 100, result: "It is 7.", follow_up: "It is 7, as I now know." },
      { type: "text", text: "I will tell you when it is done." },
    ],
  },
  "rate-limit": {
    summary: "The model refuses with 429, twice.",
    steps: [
      { type: "retry", status: 429 },
      { type: "fail", status: 429 },
    ],
  },
  "rate-limit-once": {
    summary: "The model refuses with 429, then answers.",
    steps: [
      { type: "retry", status: 429 },
      { type: "text", text: "Here I am again." },
    ],
  },
  "auth-failure": { summary: "The model refuses the key with 401.", steps: [{ type: "fail", status: 401 }] },
  overloaded: { summary: "The model is overloaded, 529.", steps: [{ type: "fail", status: 529 }] },
  "max-turns": {
    summary: "Runs into the limit of turns.",
    steps: [
      { type: "tool", name: "Bash", input: { command: "ls" }, output: "README.md" },
      { type: "stop", reason: "max_turns" },
    ],
  },
  permission: {
    summary: "Wants to run a command that needs permission.",
    steps: [
      {
        type: "permission",
        tool: "Bash",
        input: { command: "rm -rf build", description: "Remove the build" },
        output: "",
        allowed: [{ type: "text", text: "The build is gone." }],
        denied: [{ type: "text", text: "I was not allowed to remove the build." }],
      },
    ],
  },
  question: {
    summary: "Asks which colour, and repeats the answer.",
    steps: [
      {
        type: "question",
        question: "Which colour?",
        header: "Colour",
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cold" },
        ],
      },
      { type: "text", text: "The answer was: {{answer}}" },
    ],
  },
  hang: {
    summary: "Begins to work and never says anything again.",
    steps: [{ type: "text", text: "One moment." }, { type: "hang" }],
  },
  "hang-at-start": { summary: "Never says anything after its first line.", steps: [{ type: "hang" }] },
  drip: {
    summary: "Writes its stream in small pieces, slowly.",
    drip: { bytes: 64, ms: 5 },
    steps: [{ type: "text", text: "Slowly, but surely." }],
  },
  cut: {
    summary: "Its stream breaks off in the middle of a line.",
    steps: [{ type: "text", text: "So far" }, { type: "cut" }],
  },
  malformed: {
    summary: "Writes lines that are no JSON between good ones.",
    steps: [
      { type: "line", text: '{"type":"assistant","message":' },
      { type: "line", text: "Warning: something unrelated" },
      { type: "line", text: "[1,2,3]" },
      { type: "text", text: "All is well all the same." },
    ],
  },
  unknown: {
    summary: "Writes events that no version has had.",
    steps: [
      { type: "event", event: { type: "brand_new", payload: { any: ["thing"] } } },
      { type: "text", text: "You can ignore that." },
    ],
  },
  linger: { summary: "Says everything and does not end.", linger_ms: null, steps: [{ type: "text", text: "Done." }] },
  stubborn: {
    summary: "Hangs, and does not mind SIGTERM.",
    ignore_sigterm: true,
    steps: [{ type: "text", text: "I stay." }, { type: "hang" }],
  },
  crash: { summary: "Dies by a signal in the middle.", steps: [{ type: "text", text: "So far" }, { type: "crash" }] },
  "exit-early": {
    summary: "Ends with an error before it says anything that counts.",
    steps: [{ type: "exit", code: 1, stderr: "Error: the configuration is broken" }],
  },
  empty: { summary: "Ends well and says nothing.", steps: [] },
  "huge-line": {
    summary: "Says 20 MB in one line.",
    steps: [{ type: "text", text: "0123456789", repeat: 2_000_000 }],
  },
  "huge-stream": {
    summary: "Says 100 MB in lines of a kilobyte.",
    steps: [
      { type: "repeat", times: 100_000, steps: [{ type: "text", text: "0123456789", repeat: 100 }] },
      { type: "text", text: "That was all." },
    ],
  },
} as const satisfies Readonly<Record<string, FakeScenarioText>>;
