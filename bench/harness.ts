import { parseSuite } from "./harness/parse.ts";
import { runSuite } from "./harness/run.ts";
import type { Progress, Row } from "./suite.ts";

/** Reading what agents write, alone and as the whole program. */
export const harness = async (progress: Progress): Promise<Row[]> => [
  ...(await parseSuite(progress)),
  ...(await runSuite(progress)),
];
