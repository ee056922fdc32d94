import { expect, test } from "vitest";
import type { StreamMessage } from "./stream-message.ts";
import { toMessage } from "./stream-message.ts";
import { createPendingAppends } from "./pending-appends.ts";

const message = (id: string, number: number): StreamMessage =>
  toMessage({ topic: id, from: "server", tsServer: "", payload: "{}", lease: "own" }, id, { ownId: id, number });

const LISTENER = { committed: () => undefined, failed: () => undefined };

test("a message under a new number waits until all before it are settled, so that none of them comes behind it", () => {
  const sent: string[] = [];
  const pending = createPendingAppends({ send: ({ id }) => void sent.push(id), maySend: () => true });
  const add = (id: string, number: number): void => pending.add(message(id, number), LISTENER);
  add("a", 3);
  add("b", 3);
  add("c", 8);
  add("d", 8);
  add("e", 0);
  expect(sent).toEqual(["a", "b"]);
  pending.take("b");
  pending.sendAgain(Infinity);
  expect(sent).toEqual(["a", "b", "a"]);
  pending.take("a");
  expect(sent).toEqual(["a", "b", "a", "c", "d", "e"]);
});
