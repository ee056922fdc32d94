import { machinePermissions } from "./machine-permissions.ts";

export interface MachineUser {
  readonly machine: string;
  /** Public NKEY of the machine's user. */
  readonly publicKey: string;
}

const listOf = (subjects: readonly string[], indent: string): string =>
  subjects.map((subject) => `${indent}${JSON.stringify(subject)}`).join("\n");

function userOf(cluster: string, { machine, publicKey }: MachineUser): string {
  const { publish, subscribe } = machinePermissions(cluster, machine);
  return `      # ${machine}
      {
        nkey: ${publicKey}
        permissions {
          publish {
            allow: [
${listOf(publish, "              ")}
            ]
          }
          subscribe {
            allow: [
${listOf(subscribe, "              ")}
            ]
          }
        }
      }`;
}

/** The part of a configuration of nats-server that lets the machines of a cluster in, each held to its own subjects. */
export const serverConfig = (
  cluster: string,
  users: readonly MachineUser[],
): string => `# Made by claw cluster-credentials. Include it in the configuration of every server of the cluster.
accounts {
  claw_${cluster} {
    jetstream: enabled
    users: [
${users.map((user) => userOf(cluster, user)).join("\n")}
    ]
  }
}
`;
