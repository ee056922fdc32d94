import type { IncomingMessage, ServerResponse } from "node:http";
import type { Mount, TokenHolder, TokenStore } from "../../bus/index.ts";

/** A protocol for other programs beside the bus, once its code is loaded. */
export interface LoadedFace {
  /** Answers a request of a token's holder. Resolves when the answer was sent, or the client has left. */
  serve(request: IncomingMessage, response: ServerResponse, holder: TokenHolder): Promise<void>;
  /** Ends the open requests of clients. Idempotent. */
  close(): Promise<void>;
}

/** What a face signs with, and where it notes what was used once. Both outlive the daemon. */
export type FaceKeys = Pick<TokenStore, "secret" | "use">;

/** A protocol that the daemon offers on its HTTP listener. The daemon's main gives it, because daemons import no face. */
export interface DaemonFace {
  /** The addresses at which the face is served. The face tells them apart by the path of the request. */
  readonly paths: readonly string[];
  /** Loads the code. Called at the first request. */
  readonly load: (keys: FaceKeys) => Promise<LoadedFace>;
}

export interface FaceMounts {
  readonly mounts: readonly Mount[];
  /** Lets holders of these tokens in. No request comes before. */
  readonly admit: (tokens: Pick<TokenStore, "read"> & FaceKeys) => void;
  /** Ends the faces that were loaded. Idempotent. */
  readonly close: () => Promise<void>;
}

/** Makes faces reachable. A face whose loading failed is loaded again by the next request. */
export function createFaceMounts(faces: readonly DaemonFace[]): FaceMounts {
  const loaded = new Map<DaemonFace, Promise<LoadedFace>>();
  let tokens: Parameters<FaceMounts["admit"]>[0] | undefined;
  let isClosed = false;

  const load = async (face: DaemonFace): Promise<LoadedFace> => {
    if (isClosed || tokens === undefined) throw new Error("the daemon stops");
    const loading = loaded.get(face) ?? face.load(tokens);
    loaded.set(face, loading);
    try {
      return await loading;
    } catch (error) {
      loaded.delete(face);
      throw error;
    }
  };
  const mountOf = (face: DaemonFace, path: string): Mount => ({
    path,
    readToken: (bearer) => (bearer === undefined ? { kind: "missing" } : (tokens?.read(bearer) ?? { kind: "invalid" })),
    serve: async (request, response, holder) => (await load(face)).serve(request, response, holder),
  });
  return {
    mounts: faces.flatMap((face) => face.paths.map((path) => mountOf(face, path))),
    admit: (given) => void (tokens = given),
    close: async () => {
      isClosed = true;
      const closing = [...loaded.values()].map(async (face) => (await face.catch(() => undefined))?.close());
      loaded.clear();
      await Promise.all(closing);
    },
  };
}
