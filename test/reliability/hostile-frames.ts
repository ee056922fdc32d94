const DEEP = 100_000;
const LONG = 200_000;

/** JSON texts of values that programs trip over. */
const VALUES: readonly string[] = [
  "null",
  "true",
  "-0",
  "1e999",
  "-1e999",
  "9007199254740993",
  "1e-400",
  '""',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\u2028\u2029"',
  '"\\u0000\\u0007\\n\\r"',
  '"../../../etc/passwd"',
  '"**"',
  '"a..b"',
  '"system.peer.left"',
  '"worker.p_000001.complete"',
  '"__proto__"',
  '"constructor"',
  '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"hasOwnProperty":null,"then":{}}',
  '{"v":1,"id":1,"data":null}',
  '{"v":1,"id":"__proto__","schema":"worker-event-v1","data":{"__proto__":1}}',
  "[]",
  "[null,[],{},1]",
];

/** The same, large. */
const LARGE_VALUES: readonly string[] = [
  `"${"x".repeat(LONG)}"`,
  `"${"a.".repeat(LONG / 2)}a"`,
  `[${"1,".repeat(LONG / 2)}1]`,
  "[".repeat(DEEP) + "]".repeat(DEEP),
  '{"a":'.repeat(DEEP / 10) + "1" + "}".repeat(DEEP / 10),
  '{"data":'.repeat(DEEP / 10) + "1" + "}".repeat(DEEP / 10),
];

/** Commands, each with fields that are right, so that one wrong one is looked at. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hello: { protocol: '"claws/2"', role: '"worker"', peerName: '"x"', capabilities: "[]", instanceNonce: '"n"' },
  subscribe: { topic: '"a.*"', fromCursor: '"0000:0"', durable: '"d"', ackWaitMs: "1", maxInFlight: "1" },
  unsubscribe: { subscriptionId: '"s_0001"' },
  ack: { subscriptionId: '"s_0001"', cursor: '"0001:1"' },
  publish: { topic: '"note.x"', echo: "true", payload: "{}" },
  broadcast: { text: '"hi"', targetRole: '"all"', peerId: '"p_000001"', inject: "true" },
  "task.assign": { title: '"t"', assignee: '"p_000001"', prompt: '"p"', timeoutMs: "1000000", deliver: '"both"' },
  "task.update": { taskId: '"t_001"', status: '"running"', progressPct: "1", note: '"n"' },
  "task.complete": { taskId: '"t_001"', status: '"failed"', result: "1", artifacts: "[]" },
  "task.cancel": { taskId: '"t_001"', reason: '"r"' },
  "task.list": { assignee: '"p_000001"', status: '"failed"', since: "1" },
  "deliver-cmd": { targetPeerId: '"p_000001"', cmdTopic: '"cmd.x.pause"', payload: "{}", idempotencyKey: '"k"' },
  "cmd.ack": { seq: "1", status: '"executed"', correlation_id: '"c"' },
  "rpc.call": { targetPeerId: '"p_000001"', method: '"m"', params: "{}", timeoutMs: "1" },
  "lifecycle.plan": { plan: '"p"', workerMode: '"single"', expectedWorkers: "1" },
  "lifecycle.advance": { to: '"SPAWN"', reason: '"r"' },
  "lifecycle.register-spawn": { terminalId: '"1"', correlationId: '"c"', name: '"n"' },
  "lifecycle.register-monitor": { terminalId: '"1"', correlationId: '"c"', command: '"x"' },
  "lifecycle.mark-worker-status": { terminalId: '"1"', status: '"closed"' },
  "lifecycle.reflect": { reflect: '"r"' },
  "monitors.register-intent": { correlation_id: '"c"' },
  "wave.create": { waveId: '"w"', layers: "[]", manifest: '["lead"]' },
  "wave.complete": { waveId: '"w"', summary: '"s"', commits: "[]", regressionClean: "true" },
  "pipeline.create": { name: '"n"', steps: '[{"role":"source","terminalId":"1"},{"role":"sink","terminalId":"2"}]' },
  "pipeline.close": { pipelineId: '"pipe_0001"' },
  "schema.get": { name: '"worker-event-v1"' },
};

const lineOf = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;

/** Commands whose texts go furthest. */
const FAR = new Set(["hello", "subscribe", "publish", "task.assign"]);

/** Every field of every command with every value, one at a time. */
export function* wrongFields(): Generator<string> {
  for (const [cmd, fields] of Object.entries(COMMANDS)) {
    const values = FAR.has(cmd) ? [...VALUES, ...LARGE_VALUES] : VALUES;
    for (const name of ["id", "protocol", ...Object.keys(fields)]) {
      for (const value of values) yield lineOf({ cmd: `"${cmd}"`, id: "7", ...fields, [name]: value });
    }
  }
}

const EVENT = '{"v":1,"id":"6f1d6a1e-1a52-4a8e-9e9f-0d7d5a6f2b11","schema":"cmd-pause-v1","data":{}}';

/** Lines that are no frames, and frames that say something twice, or nothing. */
export const ODD_LINES: readonly string[] = [
  "",
  "   \t ",
  "null",
  "true",
  "0",
  '"x"',
  "[]",
  "[{}]",
  "{}",
  "{",
  "}",
  '{"cmd"',
  "undefined",
  "NaN",
  "\uFEFF{}",
  "{}\r",
  "{} {}",
  ...VALUES,
  ...LARGE_VALUES,
  ...[...VALUES, ...LARGE_VALUES].map((value) => `{"cmd":${value}}`),
  ...VALUES.map((value) => `{"__proto__":${value},"cmd":"ping"}`),
  '{"cmd":"constructor"}',
  '{"cmd":"toString"}',
  `{"cmd":"publish","echo":1,"topic":"cmd.x.pause","payload":${EVENT},"echo":{}}`,
  `{"cmd":"publish","from":1,"topic":"cmd.x.pause","payload":${EVENT},"from":"p_000001"}`,
  `{"cmd":"publish","sequence":1,"topic":"note.x","payload":{},"sequence":{"a":{}}}`,
  `{"cmd":"publish","topic":"note.x","payload":{"a":1},"p\\u0061yload":{"b":2}}`,
  `{"cmd":"publish","topic":"note.x","payload":1,"topic":"note.y","topic":"note.z"}`,
  `{"cmd":"ping","cmd":"publish","topic":"note.x"}`,
];
