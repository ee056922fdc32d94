import { openTokenStore } from "../../../claw/src/bus/access/tokens/index.ts";
import { serveBus } from "../../../claw/src/bus/testing/serve-bus.ts";
import { nodeFileSystem } from "../../../claw/src/files/index.ts";

const folder = process.argv[2] ?? "";

void serveBus(folder, {
  logOptions: { durability: "strict", segmentBytes: 64 * 1024, retainBytes: Infinity },
  tokens: openTokenStore(nodeFileSystem, folder, Date.now),
  report: () => undefined,
});
