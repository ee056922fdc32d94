/** Puts a text of rules into a sheet that the page's policy allows, in place of a `<style>` element, which it forbids. */
function asSheet(style: HTMLStyleElement): void {
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

/** The document as xterm may use it: elements whose styles pass a policy without inline styles. */
export function strictDocument(): Document {
  const createElement = (tag: string): HTMLElement => {
    const element = document.createElement(tag);
    if (element instanceof HTMLStyleElement) asSheet(element);
    else styleByModel(element);
    return element;
  };
  return new Proxy(document, {
    get: (target, name) => {
      if (name === "createElement") return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}
