import type { HarnessId } from "claw-contract";
import type { Harness } from "./harness.ts";
import { claudeCode } from "./harnesses/claude-code.ts";
import { claw } from "./harnesses/claw.ts";
import { codex } from "./harnesses/codex.ts";
import { fake } from "./harnesses/fake.ts";

export const HARNESSES: Readonly<Record<HarnessId, Harness>> = {
  "claude-code": claudeCode,
  codex,
  claw,
  fake,
};
