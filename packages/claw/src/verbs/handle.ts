import type { Redactor, VerbInput, VerbItem, VerbName, VerbOutput } from "@claw/contract";
import type { FileSystem } from "../files/index.ts";
import type { Backstage, Ending } from "../harness/index.ts";
import type { SessionStore } from "../sessions/index.ts";
import type { NoteTaker } from "./note-taker.ts";
import type { Paint } from "./paint.ts";
import type { RawTerminal } from "./raw-terminal.ts";
import type { Screen } from "./screen.ts";

/** What the caller gives on standard input. Nothing is read before a verb asks for it. */
export interface StandardInput {
  /** Whether a person sits there instead of a file or a program. */
  isTerminal(): boolean;
  /** Whether a pipe, a socket or a file stands behind it, so that somebody may have put a text there. */
  isPiped(): boolean;
  /** Its bytes as they come, up to its end. To be read once. Rejects when it cannot be read. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A line on a terminal that changes while a verb works, and is gone when it has answered. */
export interface LiveLine {
  /** Shows a text in place of the one before; it is cut to the width of the terminal. */
  show(text: string): void;
  clear(): void;
}

/** The person at the terminal. */
export interface Terminal {
  /**
   * Shows a text and resolves with the line that is typed, without its end; null when the terminal was closed. One
   * question at a time: others wait. Rejects with the signal's reason when that is aborted.
   */
  ask(text: string, signal: AbortSignal): Promise<string | null>;
}

/** What a handler may use of the outside. Faces of the verbs make it, handlers make nothing of it themselves. */
export interface Ports {
  /** Absolute and checked. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: StandardInput;
  /** Null when nobody looks: not for people, no terminal, or asked to be quiet. */
  readonly live: LiveLine | null;
  /** Null when no person can be asked. */
  readonly terminal: Terminal | null;
  /** Takes the whole terminal for a session; who opens it closes it. Null when the answer is not for people on one. */
  readonly openScreen: (() => Promise<Screen>) | null;
  /** Takes the terminal as bytes both ways; who opens it closes it. Null like `openScreen`. */
  readonly openRawTerminal: (() => Promise<RawTerminal>) | null;
  readonly files: FileSystem;
  readonly sessions: SessionStore;
  readonly notes: NoteTaker;
  /** Masks secrets in what is about to be stored or written to a file. */
  readonly redactor: Redactor;
  readonly toolVersion: string;
  /** The command that is this program. */
  readonly program: readonly [string, ...string[]];
  /** Whether items of a stream are shown as they come; otherwise they belong into the answer. */
  readonly streaming: boolean;
  /** Whether the answer is text for people; programs get JSON. */
  readonly forPeople: boolean;
  /** Shows one item of a stream. Throws when nobody is there to see it. */
  readonly emit: (item: unknown) => Promise<void>;
  /** Whether a person asked for more than is usually shown. */
  readonly verbose: boolean;
  /** Says at once, to a person who would see nothing else, what is waited for. Programs never see it. */
  readonly announce: (text: string) => void;
  /** The process itself, for a verb that plays another program. */
  readonly stage: Backstage & {
    /** How the process ends when the verb has returned. Nothing else is printed then. */
    leave(ending: Ending): void;
  };
  /** How the answer is written, as far as a verb may tell. */
  readonly format: {
    readonly source: "flag" | "env" | "config" | "default";
    readonly raw: string | null;
    readonly overridden: readonly string[];
  };
  /** The time the caller gave, whose end aborts the signal; null when none was named. */
  readonly timeoutSeconds: number | null;
  /** What an answer may weigh before its bulk must go to a file. */
  readonly maxAnswerBytes: number;
  /** Aborted when the caller gave up or the time is over; its reason is the error to throw. */
  readonly signal: AbortSignal;
}

/** What a verb that says things while it works returns: items as they come, its output at the end. */
export type VerbStream<N extends VerbName> = AsyncGenerator<VerbItem<N>, VerbOutput<N>, void>;

export interface Handler<N extends VerbName> {
  /** Does the work. Returns data or throws ClawError; never prints, never builds an envelope. */
  readonly run: (input: VerbInput<N>, ports: Ports) => VerbOutput<N> | Promise<VerbOutput<N>> | VerbStream<N>;
  /** One item for people, without a final newline. */
  readonly showItem?: (item: VerbItem<N>, paint: Paint) => string;
  /** The answer for people: pure, short, without a final newline. */
  readonly show: (output: VerbOutput<N>, paint: Paint) => string;
}

export type HandlerLoaders = { readonly [N in VerbName]: () => Promise<Handler<N>> };

/** Ties a handler to the types of its verb. */
export function handle<N extends VerbName>(_verb: N, handler: Handler<N>): Handler<N> {
  return handler;
}
