/** One client, however it is connected. Frames are JSON texts without a line end. */
export interface TransportConnection {
  /** Hands a frame over for sending, in order. Never throws; frames after the end are dropped. */
  send(frame: string): void;
  /** Whether more is waiting to be sent than should be. Frames are still taken, but the sender ought to pause. */
  congested(): boolean;
  /** Sends what was handed over, then hangs up. */
  end(): void;
}

/** Receives the input of a client from the transport, one call at a time. */
export interface ConnectionHandler {
  /** A whole line, decoded, without its end. */
  line(text: string): void;
  /** Called between two lines that came in one piece: the requests before may take effect now. */
  rest?(): void;
  /** How many bytes a line may have now: few as long as the client owes a token, more afterwards. */
  lineLimit(): number;
  /** A line longer than allowed; the connection ends after it. */
  oversize(): void;
  /** No longer congested. */
  drained(): void;
  /** Called once, as the last call. `by` is `server` when the bus hung up, for any reason. */
  closed(by?: "client" | "server"): void;
}

/** How a client came in. */
export interface Entrance {
  /** `local`: a socket on this machine, protected by file permissions. `network`: any connection by address. */
  readonly surface: "local" | "network";
  /** Name of the only worker that may connect here. The worker must show its token. */
  readonly only?: string;
  /** A token shown when the client connected. */
  readonly bearer?: string;
  /** The client is the page in a browser: `bearer` is its cookie, the only token that counts here. */
  readonly page?: true;
}

/** Without an entrance, the client is a local one. */
export type Accept = (connection: TransportConnection, entrance?: Entrance) => ConnectionHandler;

/** A way in. `listen` resolves when clients can connect; `close` when the last of them is gone. */
export interface Transport {
  listen(accept: Accept): Promise<void>;
  close(): Promise<void>;
}
