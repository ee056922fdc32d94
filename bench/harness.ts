import { parseSuite } from "./harness/parse.ts";
import type { Progress, Row } from "./suite.ts";

/** Reading what agents write. */
export const harness = async (progress: Progress): Promise<Row[]> => [...(await parseSuite(progress))];
