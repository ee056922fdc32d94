import type { PageDoor } from "../../bus/index.ts";

/** A place for the page in servers that are made before the page. Until it is set, no address is the page's. */
export interface LateDoor {
  readonly door: PageDoor;
  set(page: PageDoor): void;
  isSet(): boolean;
}

export function createLateDoor(): LateDoor {
  let page: PageDoor | undefined;
  return {
    door: {
      serve: (request, response) => page?.serve(request, response) ?? false,
      enter: (request) => page?.enter(request),
    },
    set: (next) => {
      page = next;
    },
    isSet: () => page !== undefined,
  };
}
