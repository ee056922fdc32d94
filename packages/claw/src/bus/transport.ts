/** One client, however it is connected. Frames are JSON texts without a line end. */
export interface Connection {
  /** Hands a frame over for sending, in order. Never throws; frames after the end are dropped. */
  send(frame: string): void;
  /** Whether more is waiting to be sent than should be. Frames are still taken, but the sender ought to pause. */
  congested(): boolean;
  /** Sends what was handed over, then hangs up. */
  end(): void;
}

/** What a client does, as told by its transport, one call at a time. */
export interface ConnectionHandler {
  /** A whole line, decoded, without its end. */
  line(text: string): void;
  /** How many bytes a line may have now: few as long as the client owes a token, more afterwards. */
  lineLimit(): number;
  /** A line longer than allowed; the connection ends after it. */
  oversize(): void;
  /** No longer congested. */
  drained(): void;
  /** Told once; nothing follows. Names the server when it was this side that hung up, whatever for. */
  closed(by?: "client" | "server"): void;
}

/** How a client came in. */
export interface Entrance {
  /** Sockets of this machine that file permissions protect, or anything reached by an address. */
  readonly surface: "local" | "network";
  /** The name of the one worker that may come in here; it has to show its token. */
  readonly only?: string;
  /** A token shown on the way in. */
  readonly bearer?: string;
}

/** Without an entrance, the client is a local one. */
export type Accept = (connection: Connection, entrance?: Entrance) => ConnectionHandler;

/** A way in. `listen` resolves when clients can connect; `close` when the last of them is gone. */
export interface Transport {
  listen(accept: Accept): Promise<void>;
  close(): Promise<void>;
}
