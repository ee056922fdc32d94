import { inboxOf } from "../credentials/machine-permissions.ts";

const family = (cluster: string): string => `claw-route.${cluster}`;

/**
 * The subject on which one machine speaks to another. The servers let a machine publish only subjects that end in its
 * own name, and listen only to those that begin with its name.
 */
export const routeSubject = (cluster: string, to: string, from: string): string => `${family(cluster)}.${to}.${from}`;

/** The machine that speaks on a subject. */
export const speakerOn = (subject: string): string => subject.slice(subject.lastIndexOf(".") + 1);

/** Where the servers say that no daemon listens for a question. */
export const noticeSubject = (cluster: string, machine: string, id: string): string =>
  `${inboxOf(cluster, machine)}.route.${id}`;
