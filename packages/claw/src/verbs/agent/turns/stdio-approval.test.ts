import { expect, test } from "vitest";
import type { StandardInput } from "../../runtime/handle.ts";
import { openStdioApproval } from "./stdio-approval.ts";
import type { StreamLine } from "./stream-lines.ts";

const QUESTION = {
  toolUseId: "t1",
  tool: "bash",
  input: { command: "make" },
  reason: "bash needs a permission",
  preview: null,
};

/** A stdin that is written to while it is read. */
function scene() {
  const waiting: (Uint8Array | undefined)[] = [];
  let wake: () => void = () => undefined;
  const push = (chunk: Uint8Array | undefined): void => {
    waiting.push(chunk);
    wake();
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const next = waiting.shift();
      if (next === undefined) return;
      yield next;
    }
  }
  const stdin: StandardInput = { isTerminal: () => false, isPiped: () => true, chunks };
  const said: StreamLine[] = [];
  const approval = openStdioApproval(stdin, (line) => void said.push(line));
  const send = (...frames: readonly unknown[]): void =>
    push(Buffer.from(frames.map((frame) => `${JSON.stringify(frame)}\n`).join("")));
  const answer = (id: string, response: unknown): void =>
    send({ type: "control_response", response: { subtype: "success", request_id: id, response } });
  const ask = () => approval.approve(QUESTION, new AbortController().signal);
  return { approval, said, send, push, answer, ask };
}

test("a call is asked about in the words of Claude Code, and answered", async () => {
  const { said, answer, ask } = scene();
  const [first, second] = [ask(), ask()];
  answer("claw-2", { behavior: "allow", updatedInput: {} });
  answer("claw-1", { behavior: "deny", message: "not today" });
  expect(await Promise.all([first, second])).toEqual([{ allow: false, reason: "not today" }, { allow: true }]);
  const request = { subtype: "can_use_tool", tool_name: "bash", tool_use_id: "t1", input: { command: "make" } };
  expect(said[0]).toEqual({
    type: "control_request",
    request_id: "claw-1",
    request: { ...request, decision_reason: "bash needs a permission" },
  });
});

test("an error, an answer to nothing and lines that are none are no permission", async () => {
  const { ask, send, push } = scene();
  const asked = ask();
  push(Buffer.from("nonsense\n[1]\n\u2028{}\n"));
  send({
    type: "control_response",
    response: { subtype: "success", request_id: "other", response: { behavior: "allow" } },
  });
  send({ type: "control_response", response: { subtype: "error", request_id: "claw-1", error: "no" } });
  expect(await asked).toEqual({ allow: false, reason: "denied" });
});

test("when stdin ends, what is asked and what would be is denied", async () => {
  const { ask, push } = scene();
  const asked = ask();
  push(undefined);
  const nobody = { allow: false, reason: "there is no person to ask" };
  expect([await asked, await ask()]).toEqual([nobody, nobody]);
});

test("a question that nobody needs answered any more is withdrawn", async () => {
  const { approval, said } = scene();
  const controller = new AbortController();
  const asked = approval.approve(QUESTION, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(asked).rejects.toThrow("stopped");
  expect(said.at(-1)).toEqual({ type: "control_cancel_request", request_id: "claw-1" });
});

test("it answers a greeting, refuses other requests, and takes the first message for the prompt", async () => {
  const { approval, said, send } = scene();
  send(
    { type: "control_request", request_id: "a", request: { subtype: "initialize" } },
    { type: "control_request", request_id: "b", request: { subtype: "brand_new" } },
    { type: "user", message: { role: "user", content: [{ type: "text", text: "tidy up" }] } },
    { type: "user", message: { role: "user", content: "later" } },
  );
  expect(await approval.firstPrompt()).toBe("tidy up");
  expect(said).toEqual([
    { type: "control_response", response: { subtype: "success", request_id: "a", response: {} } },
    {
      type: "control_response",
      response: { subtype: "error", request_id: "b", error: "claw does not answer requests of this kind" },
    },
  ]);
});
