import { expect, test } from "vitest";
import { pairedMessages } from "./paired-messages.ts";
import { assistant, call, result, user } from "./testing/ask.ts";

test("a conversation in order stays as it is", () => {
  const messages = [user("a"), assistant(call("1"), call("2")), result("1", "x"), result("2", "y"), user("b")];
  const paired = pairedMessages(messages);
  expect(paired.every((message, index) => message === messages[index])).toBe(true);
  expect(paired).toHaveLength(messages.length);
});

test("a call without a result gets one that says it was lost, before anything else is said", () => {
  const messages = [user("a"), assistant(call("1"), call("2")), result("2", "y"), user("b"), assistant(call("3"))];
  const lost = (id: string) => ({
    role: "tool",
    blocks: [
      {
        type: "tool_result",
        tool_use_id: id,
        tool_name: "read_file",
        output: "The result of this call was not recorded.",
        is_error: true,
      },
    ],
  });
  expect(pairedMessages(messages)).toEqual([...messages.slice(0, 3), lost("1"), ...messages.slice(3), lost("3")]);
});

test("a result without its call, or a second one, is left out", () => {
  const messages = [result("0", "w"), user("a"), assistant(call("1")), result("1", "x"), result("1", "x again")];
  expect(pairedMessages(messages)).toEqual(messages.slice(1, 4));
});
