import { expect, test } from "vitest";
import { readLog } from "./read-log.ts";

const ASKED = { since: "0001:0" };

/** A bus that answers with these lines, one after another. */
function answering(...lines: readonly string[]) {
  const asked: unknown[] = [];
  const left = [...lines];
  return {
    asked,
    requestText: (_name: string, ...[fields]: readonly unknown[]): Promise<string> => {
      asked.push(fields);
      return Promise.resolve(left.shift() ?? "");
    },
  };
}

const HEAD = '{"id":1,"protocol":"claws/1","ok":true,"cursor":"0001:4","more":false';
const GAP = '{"from":"0001:1","to":"0001:2","reason":"lost"}';
const ONE = '{"topic":"a","from":"p","ts_server":"t","payload":{"x":[],"y":"],\\"rid\\":"},"sequence":3}';
const TWO = '{"topic":"b","from":"p","ts_server":"t","payload":{"events":[1]},"sequence":4}';

test("a reply is cut into the lines of its events, without being parsed", async () => {
  const line = `${HEAD},"gaps":[${GAP}],"events":[${ONE},\t${TWO}],"rid":1}`;
  const gaps = [{ from: "0001:1", to: "0001:2" }];
  expect(await readLog(answering(line), ASKED)).toEqual({
    text: line,
    events: [ONE, TWO],
    cursor: "0001:4",
    more: false,
    gaps,
  });
});

test("a reply of another form is parsed", async () => {
  const line = `{"events": [${ONE}, ${TWO}], "cursor": "0001:4", "more": false, "rid": 1, "ok": true}`;
  expect((await readLog(answering(line), ASKED)).events).toEqual([ONE, TWO]);
});

test("a daemon that found nothing yet is asked again from the place it reached, but not for ever", async () => {
  const empty = (cursor: string): string => `{"id":1,"ok":true,"cursor":"${cursor}","more":true,"events":[],"rid":1}`;
  const bus = answering(empty("0001:2"), `${HEAD},"events":[${ONE}],"rid":1}`);
  expect((await readLog(bus, ASKED)).events).toEqual([ONE]);
  expect(bus.asked).toEqual([ASKED, { since: "0001:2" }]);
  expect(await readLog(answering(empty("0001:0")), ASKED)).toMatchObject({ events: [], more: true });
});
