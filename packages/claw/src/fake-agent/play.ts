import type { FakeScenario } from "claw-contract";
import type { Stage } from "./stage.ts";

/** What a process of a fake agent is given. */
export interface Play {
  readonly argv: readonly string[];
  readonly scenario: FakeScenario;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stage: Stage;
}
