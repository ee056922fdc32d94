import type { Msg } from "@nats-io/transport-node";
import type { Router } from "../../bus/index.ts";
import type { ClusterConnection } from "../connection/open-connection.ts";
import { inboxOf } from "../credentials/machine-permissions.ts";
import { createAnswerer } from "./answerer.ts";
import { createAsker } from "./asker.ts";
import { decodeFrame, encodeFrame } from "./route-frame.ts";
import type { RouteLine } from "./route-line.ts";
import { noticeSubject, routeSubject, speakerOn } from "./route-subjects.ts";

const NOBODY_LISTENS = 503;
const HEAD_BYTES = 1024;
/** A server sends larger messages slowly to everyone. */
const MOST_PIECE_BYTES = 256 * 1024;

export interface RouterNames {
  readonly cluster: string;
  readonly machine: string;
  /** Text for the daemon's own log. */
  readonly report: (text: string) => void;
}

/** The router of a machine, until it is closed. */
export interface NatsRouter extends Router {
  /** Rejects the questions under way. Idempotent. */
  close(): void;
}

function createLine(
  { nats, url, isConnected }: ClusterConnection,
  { cluster, machine, report }: RouterNames,
): RouteLine {
  return {
    url,
    isConnected,
    pieceBytes: () => Math.min(MOST_PIECE_BYTES, (nats.info?.max_payload ?? MOST_PIECE_BYTES) - HEAD_BYTES),
    send: (to, frame) => {
      if (!isConnected()) return;
      try {
        const reply = noticeSubject(cluster, machine, frame.id);
        nats.publish(routeSubject(cluster, to, machine), encodeFrame(frame), { reply });
      } catch (error) {
        report(`a message to ${to} was not sent: ${String(error)}`);
      }
    },
  };
}

/**
 * Questions and answers over NATS. A message counts as spoken by a machine when its subject says so, which the servers
 * hold, and its way back leads to that machine: a stream that delivers its messages to the subject names another way.
 */
export function openNatsRouter(connection: ClusterConnection, names: RouterNames): NatsRouter {
  const { nats } = connection;
  const { cluster, machine, report } = names;
  const line = createLine(connection, names);
  const asker = createAsker(line);
  const answerer = createAnswerer(line);
  const take = ({ subject, reply = "", data }: Msg): void => {
    const from = speakerOn(subject);
    const frame = decodeFrame(data);
    if (frame === undefined || !reply.startsWith(`${inboxOf(cluster, from)}.`)) return;
    asker.take(from, frame);
    answerer.take(from, frame);
  };
  const failed = (error: Error | null): void => {
    if (error !== null) report(`questions of other machines do not come: ${error.message}`);
  };
  const spoken = nats.subscribe(routeSubject(cluster, machine, "*"), {
    callback: (error, message) => (error === null ? take(message) : failed(error)),
  });
  const notices = nats.subscribe(noticeSubject(cluster, machine, "*"), {
    callback: (error, { subject, headers }) => {
      if (error === null && headers?.code === NOBODY_LISTENS) asker.unheard(speakerOn(subject));
    },
  });
  return {
    machine,
    ask: asker.ask,
    serve: answerer.serve,
    close: () => {
      spoken.unsubscribe();
      notices.unsubscribe();
      asker.close();
      answerer.close();
    },
  };
}
