import type { FakeScenarioText } from "claw-contract/schemas";

/** The part of one worker: the mission, the scenario the fake agent plays, and the command that checks the work. */
export interface DemoPart {
  readonly name: string;
  readonly mission: string;
  readonly check: string;
  readonly scenario: FakeScenarioText;
}

type Step = Extract<FakeScenarioText["steps"][number], { type: "text" | "tool" | "wait" }>;

const usage = { input_tokens: 18_400, output_tokens: 950, cost_usd: 0.0712 };

const bash = (command: string): Step => ({ type: "tool", name: "Bash", input: { command }, runs: command });

const write = (path: string, text: string): Step => ({
  type: "tool",
  name: "Write",
  input: { file_path: `{{cwd}}/${path}`, content: text },
  runs: `mkdir -p "$(dirname '${path}')" && cat > '${path}' <<'END'\n${text}END\necho "wrote ${path}"`,
});

const say = (text: string): Step => ({ type: "text", text });
const wait = (ms: number): Step => ({ type: "wait", ms });

/** The program of the demonstration as it should be: rounded, where the project cuts off. */
export const TOTAL = `/** What a basket costs, in cents. */
export function total(basket) {
  return basket.reduce((sum, { price, count }) => sum + Math.round(price * count), 0);
}
`;

const GUIDE = "# Using prices\n\n`total(basket)` gives the sum in cents; half a cent is rounded up.\n";

const TIMED = `import { total } from "./total.js";

/** The same, and how long it took. */
export function timedTotal(basket) {
  const started = performance.now();
  return { total: total(basket), ms: performance.now() - started };
}
`;

/** Finishes, and its check passes. */
const rounding: DemoPart = {
  name: "rounding",
  mission: "The test of total() fails. Find out why and mend it.",
  check: "node --test test/",
  scenario: {
    usage,
    steps: [
      { type: "thinking", text: "Half a cent is cut off instead of rounded." },
      bash("node --test test/ > /dev/null || echo 'half a cent is rounded up: FAILED'"),
      wait(900),
      write("src/total.js", TOTAL),
      wait(900),
      bash("node --test test/ > /dev/null && echo '1 test passed'"),
      say("Math.floor cut off half cents; total() rounds now, and its test passes."),
    ],
  },
};

/** Asks for permission before it removes a folder. */
const cleanup: DemoPart = {
  name: "cleanup",
  mission: "Remove what an earlier build left behind.",
  check: "test ! -e build",
  scenario: {
    usage,
    steps: [
      bash("ls build"),
      wait(700),
      {
        type: "permission",
        tool: "Bash",
        input: { command: "rm -rf build", description: "Remove the old build" },
        reason: "rm -rf needs permission",
        runs: "rm -rf build && echo removed",
        allowed: [say("The old build is gone.")],
        denied: [say("I was not allowed to remove build/, so it is still there.")],
      },
    ],
  },
};

/** Reaches the usage limit, waits for the end of the limit and goes on. */
const guide: DemoPart = {
  name: "guide",
  mission: "Write a short guide for users of total().",
  check: "test -s docs/guide.md",
  scenario: {
    usage,
    steps: [bash("cat src/total.js"), wait(500), { type: "fail", status: 429, resets_in_ms: 4000 }],
    resumed: [write("docs/guide.md", GUIDE), wait(500), say("The guide is in docs/guide.md.")],
  },
};

/**
 * Writes a file, then hangs: only the kill ends the process. The restarted agent goes on where the killed agent
 * stopped.
 */
const timing: DemoPart = {
  name: "timing",
  mission: "Add a variant of total() that says how long it took.",
  check: "test -s src/timed-total.js",
  scenario: {
    usage,
    steps: [bash("git status --short"), write("src/timed-total.js", TIMED), { type: "hang" }],
    resumed: [bash("git status --short"), wait(500), say("I was interrupted; timed-total.js was already there.")],
  },
};

export const DEMO_CAST: readonly DemoPart[] = [rounding, cleanup, guide, timing];

/**
 * The worker whose process is killed, and the tool after which the kill happens: when the tool ends, the file is
 * written.
 */
export const DEMO_VICTIM = { name: timing.name, after: "Write" } as const;
