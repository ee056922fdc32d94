import { describe, expect, test } from "vitest";
import { claudeSettings } from "./permission-table.ts";
import { PERMISSION_MODES, PERMISSION_TABLE, permissionRow } from "./permission-table.ts";

describe("a permission mode", () => {
  test.each(PERMISSION_MODES)("is Codex's own sandbox and our own agent's own mode: %s", (mode) => {
    const { codex, claw } = PERMISSION_TABLE[mode];
    expect([codex.exec.sandbox, codex.appServer.sandbox, codex.interactive?.sandbox, claw]).toEqual([
      mode,
      mode,
      mode,
      mode,
    ]);
  });

  test("that lets an agent do everything has it ask nobody; any other has it ask where it can", () => {
    const asks = PERMISSION_MODES.map((mode) => PERMISSION_TABLE[mode].codex.appServer.approval);
    expect(asks).toEqual(["on-request", "on-request", "never"]);
  });

  test.each(["headless", "dialogue", "interactive"] as const)("is one of Claude Code's modes: %s", (way) => {
    const modes = PERMISSION_MODES.map((mode) => PERMISSION_TABLE[mode].claudeCode[way].mode);
    expect(modes).toEqual(["default", "acceptEdits", "bypassPermissions"]);
  });

  test("that is not given leaves no agent to write unasked where somebody can be asked", () => {
    const { claudeCode, codex } = permissionRow(null);
    expect([claudeCode.dialogue.mode, claudeCode.interactive.mode]).toEqual(["default", "default"]);
    expect([codex.appServer.approval, codex.interactive, permissionRow(undefined)]).toEqual([
      "on-request",
      null,
      PERMISSION_TABLE.unset,
    ]);
  });
});

describe("the settings of Claude Code", () => {
  const settings = (mode: (typeof PERMISSION_MODES)[number] | null, way: "headless" | "dialogue") =>
    claudeSettings(permissionRow(mode).claudeCode[way], "/w");

  test("let read-only commands write nowhere in the folder, and ask before every edit", () => {
    const sandbox = { enabled: true, autoAllowBashIfSandboxed: true, allowUnsandboxedCommands: false };
    expect(settings("read-only", "dialogue")).toEqual({
      permissions: { ask: ["Edit", "Write", "NotebookEdit"] },
      sandbox: { ...sandbox, filesystem: { denyWrite: ["/w"] } },
    });
  });

  test("let commands leave the sandbox only where somebody can be asked", () => {
    expect(settings("workspace-write", "headless")).toMatchObject({ sandbox: { allowUnsandboxedCommands: false } });
    expect(settings("workspace-write", "dialogue")).toMatchObject({ sandbox: { allowUnsandboxedCommands: true } });
  });

  test("are not needed for a mode without limits, and for none", () => {
    expect([settings("danger-full-access", "headless"), settings(null, "dialogue")]).toEqual([null, null]);
  });
});
