import type {
  JsonObject,
  OldToolInput,
  OldToolName,
  OldToolOutput,
  ReceivedReply,
  RequestName,
  RequestRest,
} from "claw-contract";
import type { OLD_TOOLS, toolFace } from "claw-contract/schemas";
import { askEveryMachine } from "../../../verbs/index.ts";
import type { ToolDefinition } from "../../layer/tool.ts";
import type { ToolWork } from "../claws-tool.ts";
import { shownResult } from "../claws-tool.ts";
import { readArguments } from "../read-arguments.ts";
import type { ToolHost, ToolPorts } from "../tool-host.ts";

/** Data without secrets, of which the handler printed a part itself; and a text with the same facts. */
interface PrintedData {
  readonly printed: JsonObject;
  readonly text: string;
}

const isPrinted = (answer: object): answer is PrintedData => "printed" in answer;

/** Answers a call of an old tool with the members that older clients read. */
export type OldHandler<N extends OldToolName> = (
  input: OldToolInput<N>,
  work: Pick<ToolWork, "ports" | "host">,
) => Promise<OldToolOutput<N> | PrintedData>;

export type OldHandlers<N extends OldToolName> = { readonly [Name in N]: OldHandler<Name> };

/** Members of every frame of the wire, which say nothing about the answer. */
const FRAME = new Set(["id", "rid", "protocol"]);

const withoutFrame = <Reply extends object>(reply: Reply): Reply =>
  Object.fromEntries(Object.entries(reply).filter(([name]) => !FRAME.has(name))) as Reply;

/** Sends one request of the wire over the connection's place on the bus. */
export async function request<Name extends RequestName>(
  ports: ToolPorts,
  name: Name,
  ...rest: RequestRest<Name>
): Promise<ReceivedReply<Name>> {
  const bus = await ports.seat.join(ports.signal);
  try {
    return withoutFrame(await bus.request(name, ...rest));
  } finally {
    await bus.close();
  }
}

/** Sends one request to the daemon of each machine. The reply of this machine comes first; silent machines are left out. */
export async function requestEverywhere<Name extends "list" | "peers">(
  ports: ToolPorts,
  name: Name,
): Promise<readonly ReceivedReply<Name>[]> {
  const bus = await ports.seat.join(ports.signal);
  try {
    return (await askEveryMachine(bus, name)).replies;
  } finally {
    await bus.close();
  }
}

interface Schemas {
  readonly OLD_TOOLS: typeof OLD_TOOLS;
  readonly toolFace: typeof toolFace;
}

/** Ties a handler to its old tool. The tool takes all arguments of claws 0.8 and refuses others, which are mistakes. */
export function oldTool<N extends OldToolName>(
  name: N,
  handler: OldHandler<N>,
  host: ToolHost,
  { OLD_TOOLS: contracts, toolFace: faceOf }: Schemas,
): ToolDefinition {
  const contract = contracts[name];
  const face = faceOf(contract);
  const taken = { name, schema: contract.input.strict(), shown: face.inputSchema };
  return {
    ...face,
    run: (input, call) =>
      host.during(call.signal, async (ports) => {
        const given = readArguments(taken, input) as OldToolInput<N>;
        const answer = await handler(given, { ports, host });
        if (!isPrinted(answer)) return shownResult(host, answer);
        return { kind: "result", data: answer.printed, text: answer.text };
      }),
  };
}
