import type { ReplyFields } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusHost, RequestOutcome, PeerRequest, RequestHandler } from "../../bus/index.ts";
import { error, handlePeers, idOf, ok } from "../../bus/index.ts";
import { pauseFor } from "../supervision/commands/injection-pace.ts";
import type { AgentLook } from "../supervision/commands/screens/look-at-agent.ts";
import { lookAtAgent } from "../supervision/commands/screens/look-at-agent.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";

type TerminalRequestName = "worker.terminal" | "worker.terminal.watch" | "worker.terminal.close";

/** A request of a worker about its own terminal. */
interface Call<Name extends TerminalRequestName> extends PeerRequest<Name> {
  readonly host: BusHost;
}

/** The open terminal of the requesting worker. */
function ownTerminal({ host, peer }: Pick<Call<TerminalRequestName>, "host" | "peer">) {
  const views = host.terminals.open().flatMap((id) => host.terminals.find(id) ?? []);
  return views.find(({ workerId }) => workerId === peer.id);
}

/** The state of a worker's terminal: the open terminal, or a terminal of the worker that the request names. */
async function readTerminal(call: Call<"worker.terminal">): Promise<ReplyFields<"worker.terminal">> {
  const { host, request, peer } = call;
  const open = ownTerminal(call);
  const terminalId = open?.id ?? idOf(request.terminalId) ?? null;
  if (terminalId === null) return { terminalId, pid: null, total: null };
  if (host.workerOfTerminal(terminalId) !== peer.id) {
    throw new ClawError("TERMINAL_NOT_FOUND", `no terminal ${terminalId} of this worker`, {
      operation: "look_at_terminal",
      target: terminalId,
    });
  }
  const total = await host.terminals.offset(terminalId);
  const text = request.screen ? (await host.terminals.screen(terminalId)).text : undefined;
  return {
    terminalId: open?.id ?? null,
    pid: open?.pid ?? null,
    total,
    ...(text === undefined ? {} : { text }),
  };
}

/** The state on the screen of a worker's agent, after the screen has changed and rests. */
async function watch(call: Call<"worker.terminal.watch">, registry: Pick<WorkerRegistry, "get">): Promise<AgentLook> {
  const { host, request, peer } = call;
  const { id: terminalId } = ownTerminal(call) ?? {};
  const harness = registry.get(peer.id)?.spawned?.harness;
  if (terminalId === undefined || harness === undefined) {
    throw new ClawError("TERMINAL_NOT_FOUND", "no terminal of this worker is open", {
      operation: "look_at_terminal",
      target: peer.id,
    });
  }
  const { terminals } = host;
  const look = { terminals, terminalId, harness, after: request.after, calm: request.calm, pause: pauseFor };
  return lookAtAgent(look, new AbortController().signal);
}

async function close(call: Call<"worker.terminal.close">): Promise<ReplyFields<"worker.terminal.close">> {
  const { id: terminalId } = ownTerminal(call) ?? {};
  if (terminalId === undefined) return { alreadyClosed: true };
  return { terminalId, alreadyClosed: !(await call.host.terminals.close(terminalId, "orchestrator")) };
}

async function outcomeOf<Reply extends object>(work: Promise<Reply>): Promise<RequestOutcome<Reply>> {
  try {
    return ok(await work);
  } catch (failure) {
    return failure instanceof ClawError ? error(failure.message, { code: failure.code }) : error(String(failure));
  }
}

/** Makes the handler of a request whose answer takes time. */
const about = <Name extends TerminalRequestName>(
  name: Name,
  host: BusHost,
  run: (call: Call<Name>) => Promise<ReplyFields<Name>>,
): RequestHandler =>
  handlePeers(name, (asked, done) => {
    const answer = async (): Promise<void> => done(await outcomeOf(run({ ...asked, host })));
    void answer();
  });

/**
 * Opens the terminal of an interactive worker; each life has only one, and other workers have none. A second terminal
 * is refused even after the first was closed: the agent, which was started in the first, could name any program for it.
 */
const openTerminalRequest = (host: BusHost, registry: Pick<WorkerRegistry, "get">): RequestHandler =>
  handlePeers("worker.terminal.open", ({ peer, request }, done) => {
    const { spawned, terminalOf } = registry.get(peer.id) ?? {};
    if (spawned?.mode !== "interactive") return done(error("requires role: orchestrator"));
    if (terminalOf === spawned.bootId) return done(error("it had its terminal", { code: "PERMISSION_DENIED" }));
    const hasOne = ownTerminal({ host, peer }) !== undefined;
    if (hasOne) return done(error("it has a terminal already", { code: "TERMINAL_BUSY" }));
    return host.openTerminal(peer.id, { ...request, workerId: peer.id }, done);
  });

/** Requests of a worker about the terminal of its agent. The worker does not need to know the terminal's id. */
export const terminalRequests = (host: BusHost, registry: Pick<WorkerRegistry, "get">): readonly RequestHandler[] => [
  openTerminalRequest(host, registry),
  about("worker.terminal", host, readTerminal),
  about("worker.terminal.watch", host, (call) => watch(call, registry)),
  about("worker.terminal.close", host, close),
];
