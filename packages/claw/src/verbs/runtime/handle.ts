import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Redactor, ToolSet, VerbInput, VerbItem, VerbName, VerbOutput } from "claw-contract";
import type { FaceKeys, LoadedFace } from "../../daemon/index.ts";
import type { FileSystem } from "../../files/index.ts";
import type { Backstage, ProcessEnding } from "../../fake-agent/index.ts";
import type { SessionStore } from "../../sessions/index.ts";
import type { FullScreen } from "./full-screen.ts";
import type { BusSeat } from "../bus/bus-seat.ts";
import type { NoteTaker } from "./note-taker.ts";
import type { Paint } from "./paint.ts";
import type { RawTerminal } from "./raw-terminal.ts";
import type { Screen } from "./screen.ts";

/** What the caller gives on standard input. Nothing is read before a verb asks for it. */
export interface StandardInput {
  /** Whether standard input is a terminal with a person, not a file or a program. */
  isTerminal(): boolean;
  /** Whether standard input is a pipe, a socket or a file, and may hold a text. */
  isPiped(): boolean;
  /**
   * The bytes of standard input as they come, up to the end. Readable once. Rejects when standard input cannot be read.
   */
  chunks(): AsyncIterable<Uint8Array>;
}

/** A line on a terminal that changes while a verb works. The line disappears when the verb has answered. */
export interface LiveLine {
  /** Replaces the shown text by another text, cut to the width of the terminal. */
  show(text: string): void;
  clear(): void;
}

/** The person at the terminal. */
export interface TerminalPort {
  /**
   * Shows a text and resolves with the line that is typed, without its end; null when the terminal was closed. One
   * question at a time: others wait. Rejects with the signal's reason when that is aborted.
   */
  ask(text: string, signal: AbortSignal): Promise<string | null>;
}

/** Where the daemon's HTTP listener offers each set of tools. */
export const MCP_PATHS: Readonly<Record<ToolSet, string>> = { default: "/mcp", all: "/mcp/all" };

/** How the MCP server is asked to serve. */
export interface McpChoices {
  readonly tools: ToolSet;
  /** Whether a call may start the daemon. */
  readonly start: boolean;
  /** How long one call may wait, in seconds, for a client that asks for progress. */
  readonly holdSeconds: number;
}

/** The MCP server: a face of the verbs, like the command line. */
export interface McpDoor {
  /** Makes the server of the daemon's HTTP listener. The caller closes it. */
  openHttp(ports: Ports, keys: FaceKeys): Promise<LoadedFace>;
  /**
   * Serves one connection over the process's standard streams. Resolves with the number of messages that came, when
   * the connection has ended.
   */
  readonly serve: (choices: McpChoices, ports: Ports) => Promise<number>;
}

/**
 * The ports through which a handler reaches the outside. The caller of the verb makes the ports; handlers make none.
 */
export interface Ports {
  /** Absolute and checked. */
  readonly cwd: string;
  /** Set where one verb calls another for a dry run: then not even a cache is written. */
  readonly isDryRun?: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: StandardInput;
  /** Null when no person watches: the answer is for programs, there is no terminal, or the caller asked for quiet. */
  readonly live: LiveLine | null;
  /** Null when no person can be asked. */
  readonly terminal: TerminalPort | null;
  /** Takes the whole terminal for a session; who opens it closes it. Null when the answer is not for people on one. */
  readonly openScreen: (() => Promise<Screen>) | null;
  /** Takes the whole terminal and keeps the text that was on the screen; the opener closes the screen. Null like `openScreen`. */
  readonly openFullScreen: (() => Promise<FullScreen>) | null;
  /** Takes the terminal as bytes both ways; who opens it closes it. Null like `openScreen`. */
  readonly openRawTerminal: (() => Promise<RawTerminal>) | null;
  readonly files: FileSystem;
  readonly sessions: SessionStore;
  readonly notes: NoteTaker;
  /** Masks secrets in what is about to be stored or written to a file. */
  readonly redactor: Redactor;
  readonly toolVersion: string;
  /** A place on the bus that outlives the call. Without a seat, each verb joins the bus anew. */
  readonly seat?: BusSeat;
  /** The command line of this program. */
  readonly program: readonly [string, ...string[]];
  /** Whether items of a stream are shown as they come; otherwise they belong into the answer. */
  readonly streaming: boolean;
  /** Whether the answer is text for people; programs get JSON. */
  readonly forPeople: boolean;
  /** Shows one item of a stream. Throws when the reader of the stream is gone. */
  readonly emit: (item: unknown) => Promise<void>;
  /** Whether a person asked for more than is usually shown. */
  readonly verbose: boolean;
  /** Shows a person at once a message, such as the reason for a wait. Programs never see the message. */
  readonly announce: (text: string) => void;
  /** The process itself, for a verb that plays another program. */
  readonly stage: Backstage & {
    /** How the process ends when the verb has returned. Nothing else is printed then. */
    leave(ending: ProcessEnding): void;
  };
  /** Loads the MCP server. The program's main gives it, because verbs import no face. */
  readonly openMcp: () => Promise<McpDoor>;
  /** How the answer is written, as far as a verb may tell. */
  readonly format: {
    readonly source: "flag" | "env" | "config" | "default";
    readonly raw: string | null;
    readonly overridden: readonly string[];
  };
  /** The time the caller gave, whose end aborts the signal; null when none was named. */
  readonly timeoutSeconds: number | null;
  /** Size of an answer in bytes. The bulk of a larger answer goes to a file. */
  readonly maxAnswerBytes: number;
  /** Aborted when the caller gave up or the time is over; its reason is the error to throw. */
  readonly signal: AbortSignal;
}

/** The return value of a verb with a stream: yields items while the verb works, and returns the output at the end. */
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

/** The folder of the page's files, which lies with the program. */
export const pageFolderOf = ([, script = ""]: Ports["program"]): string =>
  join(dirname(realpathSync(script)), "..", "dist", "page");

/** Parts of the program lie beside it, wherever the link leads that it was called by. */
export const partOf =
  ([node, script = ""]: Ports["program"]) =>
  (name: string): [string, ...string[]] => [node, join(dirname(realpathSync(script)), "part.cjs"), name];
