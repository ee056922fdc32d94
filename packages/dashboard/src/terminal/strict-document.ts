/**
 * Stands in for a `<style>` element, which the page's policy forbids even when it is empty: its text goes into a sheet that
 * the policy allows.
 */
function asSheet(style: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  Object.defineProperty(style, "textContent", {
    get: () => "",
    set: (rules: string) => {
      sheet.replaceSync(rules);
      const others = document.adoptedStyleSheets.filter((each) => each !== sheet);
      document.adoptedStyleSheets = [...others, sheet];
    },
  });
  style.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(style);
  };
  style.hidden = true;
  return style;
}

/** Sets styles through the object model, which the policy allows; as an attribute they would be dropped. */
function styleByModel(element: HTMLElement): void {
  const set = element.setAttribute.bind(element);
  const get = element.getAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === "style") element.style.cssText = value;
    else set(name, value);
  };
  element.getAttribute = (name) => (name === "style" ? element.style.cssText : get(name));
}

const create = (tag: string): HTMLElement => Document.prototype.createElement.call(document, tag);

function createStrictly(tag: string): HTMLElement {
  if (tag.toLowerCase() === "style") return asSheet(create("span"));
  const element = create(tag);
  styleByModel(element);
  return element;
}

/** The document as xterm may use it: elements whose styles pass a policy without inline styles. */
export function strictDocument(): Document {
  return new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return createStrictly;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** Runs code that asks the page's own document for elements: xterm's viewport does not use the document it is given. */
export function withStrictElements(run: () => void): void {
  Object.defineProperty(document, "createElement", { value: createStrictly, configurable: true });
  try {
    run();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
