import type { FakeScenario } from "claw-contract";
import type { Stage } from "../stage.ts";
import type { Complaint } from "../voice.ts";

/** The state of one conversation in a process of the fake Codex. A client of the app-server may change the state. */
export interface CodexThread {
  id: string;
  turnId: string;
  model: string;
  cwd: string;
  /** Whether the client wants to be asked. */
  asks: boolean;
  /** The sandbox of commands, in the words of the command line. */
  sandbox: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly stage: Stage;
}

const DEFAULT_MODEL = "gpt-5.5";
const DEFAULT_USAGE = { input_tokens: 1000, output_tokens: 20 };

export function createCodexThread(
  stage: Stage,
  scenario: FakeScenario,
  known: { readonly cwd: string; readonly id?: string; readonly model?: string; readonly sandbox?: string },
): CodexThread {
  return {
    id: known.id ?? stage.uuid(),
    turnId: stage.uuid(),
    model: known.model ?? scenario.model ?? DEFAULT_MODEL,
    cwd: known.cwd,
    asks: true,
    sandbox: known.sandbox ?? "workspace-write",
    usage: { ...DEFAULT_USAGE, ...scenario.usage },
    stage,
  };
}

/** What Codex says on stderr about a call it refused. */
export const complaint = ({ stage }: CodexThread, error: string): Complaint => ({
  complaint: `${stage.now().toISOString()} ERROR codex_core::tools::router: error=${error}\n`,
});
