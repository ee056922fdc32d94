import { ClawError } from "@claw/contract";
import type { Command, CommandResult, PeerCall } from "../../bus/index.ts";
import { error, idOf, numberOf, ok, openTerminalNow, peerCommand } from "../../bus/index.ts";
import { pauseFor } from "../commands/injection-pace.ts";
import { lookAtAgent } from "../commands/screens/look-at-agent.ts";
import type { Fleet } from "../fleet/fleet.ts";

type Body = Readonly<Record<string, unknown>>;

/** The open terminal of the requesting worker. */
function ownTerminal({ context, peer }: PeerCall) {
  const views = context.terminals.open().flatMap((id) => context.terminals.find(id) ?? []);
  return views.find(({ workerId }) => workerId === peer.id);
}

/** The state of a worker's terminal: the open terminal, or a terminal of the worker that the request names. */
async function look(call: PeerCall): Promise<Body> {
  const { context, request, peer } = call;
  const open = ownTerminal(call);
  const terminalId = open?.id ?? idOf(request["terminalId"]) ?? null;
  if (terminalId === null) return { terminalId, pid: null, total: null };
  if (context.state.terminals.get(terminalId)?.workerId !== peer.id) {
    throw new ClawError("TERMINAL_NOT_FOUND", `no terminal ${terminalId} of this worker`, {
      operation: "look_at_terminal",
      target: terminalId,
    });
  }
  const total = await context.terminals.offset(terminalId);
  const text = request["screen"] === true ? (await context.terminals.screen(terminalId)).text : undefined;
  return {
    terminalId: open?.id ?? null,
    pid: open?.pid ?? null,
    total,
    ...(text === undefined ? {} : { text }),
  };
}

/** The state on the screen of a worker's agent, after the screen has changed and rests. */
async function watch(call: PeerCall, fleet: Pick<Fleet, "get">): Promise<Body> {
  const { context, request, peer } = call;
  const { id: terminalId } = ownTerminal(call) ?? {};
  const harness = fleet.get(peer.id)?.spawned?.harness;
  if (terminalId === undefined || harness === undefined) {
    throw new ClawError("TERMINAL_NOT_FOUND", "no terminal of this worker is open", {
      operation: "look_at_terminal",
      target: peer.id,
    });
  }
  const { terminals } = context;
  const [after, calm] = [numberOf(request["after"]) ?? null, request["calm"] === true];
  const look = { terminals, terminalId, harness, after, calm, pause: pauseFor };
  return { ...(await lookAtAgent(look, new AbortController().signal)) };
}

async function close(call: PeerCall): Promise<Body> {
  const { id: terminalId } = ownTerminal(call) ?? {};
  if (terminalId === undefined) return { alreadyClosed: true };
  return { terminalId, alreadyClosed: !(await call.context.terminals.close(terminalId, "orchestrator")) };
}

async function resultOf(work: Promise<Body>): Promise<CommandResult> {
  try {
    return ok(await work);
  } catch (failure) {
    return refusal(failure);
  }
}

const about = (run: (call: PeerCall) => Promise<Body>): Command =>
  peerCommand(["worker"], (call, done) => {
    const answer = async (): Promise<void> => done(await resultOf(run(call)));
    void answer();
  });

const refusal = (failure: unknown): CommandResult =>
  failure instanceof ClawError ? error(failure.message, { code: failure.code }) : error(String(failure));

/**
 * Opens the terminal of an interactive worker; each life has only one, and other workers have none. A second terminal
 * is refused even after the first was closed: the agent, which was started in the first, could name any program for it.
 */
const open = (fleet: Pick<Fleet, "get">): Command =>
  peerCommand(["worker"], (call, done) => {
    const { spawned, terminalOf } = fleet.get(call.peer.id) ?? {};
    if (spawned?.mode !== "interactive") return done(error("requires role: orchestrator"));
    if (terminalOf === spawned.bootId) return done(error("it had its terminal", { code: "PERMISSION_DENIED" }));
    if (ownTerminal(call) !== undefined) return done(error("it has a terminal already", { code: "TERMINAL_BUSY" }));
    return openTerminalNow({ ...call, request: { ...call.request, workerId: call.peer.id } }, done);
  });

/** Requests of a worker about the terminal of its agent. The worker does not need to know the terminal's id. */
export const terminalCommands = (fleet: Pick<Fleet, "get">): Readonly<Record<string, Command>> => ({
  "worker.terminal.open": open(fleet),
  "worker.terminal": about(look),
  "worker.terminal.watch": about((call) => watch(call, fleet)),
  "worker.terminal.close": about(close),
});
