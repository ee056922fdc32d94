/** The link of one machine to the servers. */
export interface MachineLink {
  /** The servers' hosts and ports, as `--bus` takes them. */
  readonly hosts: string;
  /** Words before a command that runs on the machine. */
  readonly within: readonly string[];
  /** Ends all connections. What is on its way is lost. Later connections get through. */
  cut(): Promise<void>;
  /** Until `cut`, nothing that the servers send arrives, and no connection ends. */
  silence(): Promise<void>;
}

/** The network between three machines and their servers. */
export interface Network {
  /** Words before a command that starts a server. */
  readonly within: readonly string[];
  /** The address that the servers listen on. */
  readonly address: string;
  openLink(ports: readonly number[]): Promise<MachineLink>;
  /** Called when nothing runs in the network any more. */
  close(): Promise<void>;
}
