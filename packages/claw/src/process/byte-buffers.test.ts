import { expect, test } from "vitest";
import { createByteTail } from "./byte-buffers.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

test("what fits is kept whole", () => {
  const tail = createByteTail(10);
  tail.push(bytes("ab"));
  tail.push(bytes("cdé"));
  expect([tail.text(), tail.text()]).toEqual(["abcdé", "abcdé"]);
});

test("of what does not fit the last whole lines are kept, and the cut is marked", () => {
  const tail = createByteTail(11);
  for (const letter of "first\nsecond\nlast") tail.push(bytes(letter));
  expect(tail.text()).toBe("…last");
  tail.push(bytes(`\n${"m".repeat(5)}\n`));
  expect(tail.text()).toBe("…mmmmm\n");
});

test("of a line that does not fit the last whole words are kept", () => {
  const tail = createByteTail(8);
  tail.push(bytes("secret words"));
  expect(tail.text()).toBe("…words");
  tail.push(bytes("x".repeat(100)));
  expect(tail.text()).toBe("…");
});

test("nothing is nothing", () => {
  expect(createByteTail(4).text()).toBe("");
});
