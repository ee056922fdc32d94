import { expect, test } from "vitest";
import { runReal } from "./claw.ts";
import { createRealScene } from "./real-scene.ts";

test("a question of Claude Code reaches whoever answers, and the answer reaches the model", async () => {
  const scene = await createRealScene("claude-question");
  const policy = `cat >/dev/null; echo '{"decision":"allow","answers":{"Which colour?":"Blue"}}'`;
  const { result, exitCode } = await runReal(
    scene,
    "claude-code",
    "--on-permission",
    "command",
    "--permission-command",
    policy,
  );
  expect([result.output, exitCode]).toEqual(["Thanks.", 0]);
  expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("Blue");
});
