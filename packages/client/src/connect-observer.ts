import type { Client, ClientOptions } from "./client.ts";
import { createClient } from "./create-client.ts";

/** A client that watches. The bus takes no events from it. */
export type Observer = Omit<Client, "publish" | "flush">;

/** Joins the bus as an observer. Returns at once. */
export const connectObserver = (options: ClientOptions): Observer => createClient("observer", options);
