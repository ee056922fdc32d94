import { isTerminal } from "./is-terminal.ts";
import type { LiveLine, RawTerminal, Screen as SessionScreen, Terminal } from "../verbs/index.ts";
import { createLineReader } from "./line-reader.ts";
import { printableText } from "./printable.ts";
import { writeOutput } from "./write-output.ts";

export interface PersonOptions {
  /** Whether the answer is text. */
  readonly forPeople: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
}

/** The person in front of the program, as far as there is one. What is shown beside the answer goes to stderr. */
export interface Person {
  readonly live: LiveLine | null;
  readonly terminal: Terminal | null;
  readonly openScreen: (() => Promise<SessionScreen>) | null;
  readonly openRawTerminal: (() => Promise<RawTerminal>) | null;
}

/** Whether somebody could work in a session: on a terminal, both ways, that can do more than print. */
export const isSessionTerminal = (env: NodeJS.ProcessEnv): boolean =>
  isTerminal(1) && isTerminal(0) && env["TERM"] !== "dumb";

const CLEAR_LINE = "\r\u001B[K";
const DEFAULT_COLUMNS = 80;

interface Screen {
  /** Whether a question is on the screen; nothing is shown over it. */
  isAsking: boolean;
  isLive: boolean;
}

/** Shows a text, and says whether somebody looks. A terminal that was closed is no reason to leave the work. */
function showIfSeen(text: string): boolean {
  try {
    return writeOutput(2, text);
  } catch {
    return false;
  }
}

function createLiveLine(screen: Screen): LiveLine {
  const clear = (): void => {
    if (screen.isLive) showIfSeen(CLEAR_LINE);
    screen.isLive = false;
  };
  return {
    show: (text) => {
      if (screen.isAsking) return;
      // A terminal that does not know its size says 0.
      const columns = process.stderr.columns ?? 0;
      const width = (columns > 0 ? columns : DEFAULT_COLUMNS) - 1;
      const line = Array.from(printableText(text).replaceAll(/\s+/g, " "));
      const shown = line.length > width ? [...line.slice(0, Math.max(0, width - 1)), "…"] : line;
      screen.isLive = true;
      showIfSeen(CLEAR_LINE + shown.join(""));
    },
    clear,
  };
}

function createTerminal(screen: Screen): Terminal {
  const readLine = createLineReader(() => process.stdin);
  let before: Promise<unknown> = Promise.resolve();
  const ask = async (text: string, signal: AbortSignal): Promise<string | null> => {
    signal.throwIfAborted();
    writeOutput(2, (screen.isLive ? CLEAR_LINE : "") + printableText(text));
    screen.isLive = false;
    screen.isAsking = true;
    try {
      return await readLine(signal);
    } finally {
      screen.isAsking = false;
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

/** Loaded late: only a session needs it. */
async function openSessionScreen({ noColor, env }: PersonOptions): Promise<SessionScreen> {
  const [{ openScreen }, { standardTerminal }, { createStyleText }, { wantsColour }] = await Promise.all([
    import("./screen/open-screen.ts"),
    import("./screen/terminal-device.ts"),
    import("./screen/style-text.ts"),
    import("./paint.ts"),
  ]);
  return openScreen(standardTerminal(), createStyleText(wantsColour(1, { noColor, env })));
}

export function findPerson(options: PersonOptions): Person {
  const { forPeople, quiet, env } = options;
  const looks = isTerminal(2);
  const screen: Screen = { isAsking: false, isLive: false };
  const isSession = forPeople && isSessionTerminal(env);
  const isLive = looks && forPeople && !quiet && env["TERM"] !== "dumb";
  return {
    live: isLive ? createLiveLine(screen) : null,
    terminal: looks && isTerminal(0) ? createTerminal(screen) : null,
    openScreen: isSession ? () => openSessionScreen(options) : null,
    openRawTerminal: isSession ? async () => (await import("./screen/raw-device.ts")).openRawTerminal() : null,
  };
}
