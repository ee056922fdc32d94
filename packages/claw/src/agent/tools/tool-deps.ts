import type { PermissionMode } from "claw-contract";
import type { Workspace } from "../permissions/workspace.ts";
import type { KeptFiles, Sandbox } from "../sandbox/sandbox.ts";
import type { WorkerBus } from "../sandbox/worker-bus.ts";
import type { CommandGit } from "../worktree/command-git.ts";
import type { Spill } from "./shell/spill.ts";
import type { TodoList } from "./todo-write.ts";

/** What the built-in tools work with. */
export interface ToolDeps {
  readonly workspace: Workspace;
  readonly mode: PermissionMode;
  /** Gives the sandbox; null when there is none. Called only when a command is to run. */
  readonly sandbox: () => Sandbox | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly spill: Spill;
  readonly todos: TodoList;
  /** Whether a file must not be read, so that searches leave it out; undefined hides none. Paths are free of links. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** The files of the workspace that the rules keep from commands, at the time of the call. */
  readonly kept?: () => KeptFiles;
  /** The socket by which commands of a worker reach the bus. */
  readonly bus?: WorkerBus | undefined;
  /** Git for commands of a worker in a worktree; undefined where git is used as it is. */
  readonly git?: CommandGit | undefined;
  /** Whether a rule names the host of an address. Then the address may belong to this machine or its network. */
  readonly isNamedAddress: (url: string) => boolean;
}
