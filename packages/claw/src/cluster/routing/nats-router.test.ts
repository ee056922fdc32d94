import { expect, onTestFinished, test } from "vitest";
import { routerConformance } from "../../bus/routing/router.conformance.ts";
import { until } from "../../process/testing/until.ts";
import { openConnection } from "../connection/open-connection.ts";
import { inboxOf } from "../credentials/machine-permissions.ts";
import { describeOnNats } from "../testing/nats-suite.ts";
import type { NatsRouter } from "./nats-router.ts";
import { openNatsRouter } from "./nats-router.ts";
import { encodeFrame, framesOf } from "./route-frame.ts";
import { noticeSubject, routeSubject } from "./route-subjects.ts";

describeOnNats("a router on NATS", "", (nats) => {
  const killers = new Map<string, () => Promise<void>>();
  let cluster = "";
  const openOne = async (machine: string): Promise<NatsRouter> => {
    const inboxPrefix = inboxOf(cluster, machine);
    const connection = await openConnection({ url: nats.server().url, name: machine, inboxPrefix });
    onTestFinished(() => connection.close());
    killers.set(machine, () => connection.close());
    const router = openNatsRouter(connection, { cluster, machine, report: (text) => expect(text).toBe("") });
    await connection.nats.flush();
    return router;
  };
  const open = async (...machines: string[]): Promise<readonly NatsRouter[]> => {
    cluster = nats.name();
    return Promise.all(machines.map(openOne));
  };
  routerConformance({ open, kill: async (machine) => killers.get(machine)?.() });

  test("answers nothing that does not come from the machine that its subject names", async () => {
    const [one, two] = (await open("one", "two")) as [NatsRouter, NatsRouter];
    const heard: string[] = [];
    two.serve(({ question }) => {
      heard.push(question);
      return Promise.resolve("");
    });
    const forger = await nats.connect();
    const bytes = Buffer.concat(framesOf("ask", "x", "forged", 100).map(encodeFrame));
    const subject = routeSubject(cluster, "two", "one");
    forger.publish(subject, bytes, { reply: "$JS.ACK.claw_test.x.1.1.1.1.1" });
    forger.publish(subject, bytes);
    forger.publish(subject, "no frame", { reply: noticeSubject(cluster, "one", "y") });
    await forger.flush();
    await one.ask("two", "real");
    expect(heard).toEqual(["real"]);
  });

  test("says that a machine was started anew when it does not know the question any more", async () => {
    const [one, two] = (await open("one", "two")) as [NatsRouter, NatsRouter];
    let heard = 0;
    two.serve(() => new Promise(() => void (heard += 1)));
    const failure = one.ask("two", "x").catch((error: unknown) => error);
    await until("the question to come", () => heard === 1);
    two.close();
    await openOne("two");
    expect(await failure).toMatchObject({ code: "MACHINE_AWAY" });
  });

  test("rejects what waits when it is closed", async () => {
    const [one, two] = (await open("one", "two")) as [NatsRouter, NatsRouter];
    two.serve(() => new Promise(() => undefined));
    const failure = one.ask("two", "x").catch((error: unknown) => error);
    one.close();
    expect(await failure).toMatchObject({ code: "MACHINE_AWAY" });
  });
});
