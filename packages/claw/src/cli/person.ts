import { isTerminal } from "./output/is-terminal.ts";
import type { FullScreen, LiveLine, RawTerminal, Screen as SessionScreen, TerminalPort } from "../verbs/index.ts";
import { printableText } from "../verbs/index.ts";
import { createLineReader } from "./line-reader.ts";
import type { StatusLine } from "./output/status-line.ts";
import { writeOutput } from "./output/write-output.ts";

export interface PersonOptions {
  /** Whether the answer is text. */
  readonly forPeople: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly status: StatusLine;
}

/** The person at the terminal, if there is one. Output beside the answer goes to stderr. */
export interface Person {
  readonly live: LiveLine | null;
  readonly terminal: TerminalPort | null;
  readonly openScreen: (() => Promise<SessionScreen>) | null;
  readonly openFullScreen: (() => Promise<FullScreen>) | null;
  readonly openRawTerminal: (() => Promise<RawTerminal>) | null;
}

/** Whether a session can run here: stdin and stdout are terminals, and the terminal can do more than print. */
export const isSessionTerminal = (env: NodeJS.ProcessEnv): boolean =>
  isTerminal(1) && isTerminal(0) && env["TERM"] !== "dumb";

function createTerminal(status: StatusLine): TerminalPort {
  const readLine = createLineReader(() => process.stdin);
  let before: Promise<unknown> = Promise.resolve();
  const ask = async (text: string, signal: AbortSignal): Promise<string | null> => {
    signal.throwIfAborted();
    status.away();
    try {
      writeOutput(2, printableText(text));
      return await readLine(signal);
    } finally {
      status.back();
    }
  };
  return {
    ask: (text, signal) => {
      const asked = before.then(() => ask(text, signal));
      before = asked.catch(() => undefined);
      return asked;
    },
  };
}

/** The terminal, and the styles that the person wants. Loaded late: only a session needs it. */
async function styledTerminal({ noColor, env }: PersonOptions) {
  const [{ standardTerminal }, { createStyleText }, { wantsColour }] = await Promise.all([
    import("./screen/terminal-device.ts"),
    import("./screen/style-text.ts"),
    import("./output/paint.ts"),
  ]);
  return [standardTerminal(), createStyleText(wantsColour(1, { noColor, env }))] as const;
}

async function openSessionScreen(options: PersonOptions): Promise<SessionScreen> {
  const [{ openScreen }, terminal] = await Promise.all([import("./screen/open-screen.ts"), styledTerminal(options)]);
  return openScreen(...terminal);
}

async function openWholeScreen(options: PersonOptions): Promise<FullScreen> {
  const [{ openFullScreen }, terminal] = await Promise.all([
    import("./screen/full-screen.ts"),
    styledTerminal(options),
  ]);
  return openFullScreen(...terminal);
}

export function findPerson(options: PersonOptions): Person {
  const { forPeople, quiet, env, status } = options;
  const looks = isTerminal(2);
  const isSession = forPeople && isSessionTerminal(env);
  const isLive = looks && forPeople && !quiet && env["TERM"] !== "dumb";
  return {
    live: isLive ? status : null,
    terminal: looks && isTerminal(0) ? createTerminal(status) : null,
    openScreen: isSession ? () => openSessionScreen(options) : null,
    openFullScreen: isSession ? () => openWholeScreen(options) : null,
    openRawTerminal: isSession ? async () => (await import("./screen/raw-device.ts")).openRawTerminal() : null,
  };
}
