import type { VerbInput } from "claw-contract";
import type { FullScreen } from "../../runtime/full-screen.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { FleetLink, FleetListener } from "./fleet-link.ts";
import { openFleetLink } from "./fleet-link.ts";
import { createLogFollower } from "./log-follower.ts";
import { createTopKeys } from "./press-key.ts";
import { failureText } from "./top-acts.ts";
import { topRows } from "./top-rows.ts";
import type { TopState } from "./top-state.ts";
import { itemsOf, NEW_STATE, withMoment } from "./top-state.ts";

/** Ages grow, and logs go on. */
const TICK_MS = 1000;
/** Shortest time between two looks at the workspace. */
const LOOK_MS = 250;
/** Shortest time between two pictures. */
const FRAME_MS = 40;

/** The state of `claw top` and its picture. */
export interface TopStage {
  readonly state: () => TopState;
  /** Changes the state, and draws it soon. */
  readonly set: (change: Partial<TopState>) => void;
}

class Stage implements TopStage {
  #state = NEW_STATE;
  #timer: NodeJS.Timeout | undefined;
  readonly #screen: FullScreen;

  constructor(screen: FullScreen) {
    this.#screen = screen;
  }

  state = (): TopState => this.#state;

  set = (change: Partial<TopState>): void => {
    this.#state = { ...this.#state, ...change };
    this.#timer ??= setTimeout(() => this.draw(), FRAME_MS);
  };

  draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const size = { columns: this.#screen.columns(), rows: this.#screen.rows() };
    this.#screen.draw(topRows(this.#state, size, Date.now()));
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Looks at the workspace whenever it may have changed, one look at a time, with a pause between. */
class Looker {
  readonly #stage: TopStage;
  readonly #link: FleetLink;
  #isLooking = false;
  #isStale = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(stage: TopStage, link: FleetLink) {
    this.#stage = stage;
    this.#link = link;
  }

  look = (): void => {
    if (this.#isLooking || this.#timer !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#isLooking = true;
    this.#isStale = false;
    void this.#lookOnce();
  };

  end(): void {
    clearTimeout(this.#timer);
  }

  async #lookOnce(): Promise<void> {
    try {
      const moment = await this.#link.look();
      if (moment !== null) this.#stage.set(withMoment(this.#stage.state(), moment));
    } catch (error) {
      this.#stage.set({ message: failureText(error) });
    }
    this.#isLooking = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isStale) this.look();
    }, LOOK_MS);
  }
}

function listenerFor(stage: TopStage, look: () => void): FleetListener {
  return {
    changed: look,
    linked: (isThere) => {
      const { awaySince } = stage.state();
      if (isThere === (awaySince === null)) return;
      stage.set({ awaySince: isThere ? null : Date.now() });
      look();
    },
    stepped: (peerId, text) => {
      const worker = stage.state().moment?.workers.find(({ peer_id: id }) => id === peerId);
      stage.set({ message: `${worker?.name ?? peerId}: ${text}` });
    },
  };
}

export interface TopEnd {
  readonly workers: number;
  readonly waiting: number;
}

const endOf = (state: TopState): TopEnd => ({
  workers: itemsOf(state).filter(({ kind }) => kind === "worker").length,
  waiting: itemsOf(state).filter(({ kind }) => kind === "need").length,
});

interface Watch {
  readonly link: FleetLink;
  readonly screen: FullScreen;
  readonly ports: Ports;
}

async function watch({ link, screen, ports }: Watch): Promise<TopEnd> {
  const stage = new Stage(screen);
  const looker = new Looker(stage, link);
  const follower = createLogFollower(link.bus, stage);
  link.listen(listenerFor(stage, looker.look));
  screen.onResize(() => stage.draw());
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  screen.onKey(createTopKeys({ stage, bus: link.bus, screen, ports, follower, leave }));
  ports.signal.addEventListener("abort", leave, { once: true });
  const ticks = setInterval(() => {
    if (screen.isGone()) leave();
    stage.set({});
    follower.goOn();
  }, TICK_MS);
  looker.look();
  await left;
  clearInterval(ticks);
  looker.end();
  stage.end();
  ports.signal.throwIfAborted();
  return endOf(stage.state());
}

/** Shows the workspace until the person leaves. Rejects with the signal's reason. */
export async function runTop(
  { fleet }: Pick<VerbInput<"top">, "fleet">,
  ports: Ports,
  openFullScreen: () => Promise<FullScreen>,
): Promise<TopEnd> {
  const link = await openFleetLink({ fleet }, ports);
  try {
    const screen = await openFullScreen();
    try {
      return await watch({ link, screen, ports });
    } finally {
      screen.close();
    }
  } finally {
    await link.close();
  }
}
