import ts from "typescript";

const { SyntaxKind } = ts;

export interface Change {
  readonly path: string;
  readonly line: number;
  readonly kind: "operator" | "condition" | "statement" | "literal" | "number";
  /** Where the changed text begins and ends in the file. */
  readonly start: number;
  readonly end: number;
  /** What stands there after the change. */
  readonly text: string;
}

/** A change of one node. */
interface NodeChange extends Pick<Change, "kind" | "text"> {
  readonly at: ts.Node;
}

const SWAPS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [SyntaxKind.LessThanToken, "<="],
  [SyntaxKind.LessThanEqualsToken, "<"],
  [SyntaxKind.GreaterThanToken, ">="],
  [SyntaxKind.GreaterThanEqualsToken, ">"],
  [SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [SyntaxKind.AmpersandAmpersandToken, "||"],
  [SyntaxKind.BarBarToken, "&&"],
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
]);

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** An operator becomes its neighbour. A sum of texts is left alone: its difference is no number. */
function swapOperator(node: ts.Node): NodeChange | undefined {
  if (!ts.isBinaryExpression(node)) return undefined;
  const text = SWAPS.get(node.operatorToken.kind);
  if (text === undefined || isText(node.left) || isText(node.right)) return undefined;
  return { kind: "operator", at: node.operatorToken, text };
}

function negateCondition(node: ts.Node): NodeChange | undefined {
  const condition = ts.isConditionalExpression(node)
    ? node.condition
    : ts.isIfStatement(node) || ts.isWhileStatement(node)
      ? node.expression
      : undefined;
  return condition && { kind: "condition", at: condition, text: `!(${condition.getText()})` };
}

const leaves = (node: ts.Node): boolean =>
  ts.isReturnStatement(node) || ts.isThrowStatement(node) || (ts.isBlock(node) && node.statements.some(leaves));

/** A call or an assignment that stands alone, or an early return, is left out. */
function dropStatement(node: ts.Node): NodeChange | undefined {
  const isEarlyReturn = ts.isIfStatement(node) && node.elseStatement === undefined && leaves(node.thenStatement);
  return isEarlyReturn || ts.isExpressionStatement(node) ? { kind: "statement", at: node, text: ";" } : undefined;
}

/** What a number is part of, beyond sums and brackets. */
function holderOf(node: ts.Node): ts.Node {
  const { parent } = node;
  return ts.isBinaryExpression(parent) || ts.isParenthesizedExpression(parent) ? holderOf(parent) : parent;
}

/** Whether a number is the length of a pause, as in `POLL_MS = 20`: no test can tell 20 milliseconds from 19. */
function isPause(node: ts.NumericLiteral): boolean {
  const holder = holderOf(node);
  const isNamed = ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isParameter(holder);
  return isNamed && /(_MS|Ms)$/.test(holder.name.getText());
}

/** A literal becomes another: the other truth value, or the number beside it. Pauses keep their length. */
function changeLiteral(node: ts.Node): NodeChange | undefined {
  if (node.kind === SyntaxKind.TrueKeyword) return { kind: "literal", at: node, text: "false" };
  if (node.kind === SyntaxKind.FalseKeyword) return { kind: "literal", at: node, text: "true" };
  if (!ts.isNumericLiteral(node)) return undefined;
  const { parent } = node;
  if (isPause(node) || (ts.isPropertyAssignment(parent) && parent.name === node)) return undefined;
  // One up or one down, by where the number stands, so that a run's seed alone decides which change is made.
  const value = Number(node.text) + (node.pos % 2 === 0 ? 1 : -1);
  return { kind: "number", at: node, text: value < 0 ? `(${value})` : String(value) };
}

const isLeftAlone = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node);

/**
 * Every single change that can be made to the code of one file, in the order of the file: where it begins and ends, and
 * the text that takes its place. Types and imports are left alone, because no test can notice them.
 */
export function findChanges(path: string, source: string): Change[] {
  const tree = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    for (const find of [swapOperator, negateCondition, dropStatement, changeLiteral]) {
      const change = find(node);
      if (change === undefined) continue;
      const start = change.at.getStart(tree);
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ path, kind: change.kind, start, end: change.at.getEnd(), text: change.text, line });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export const applyChange = (source: string, { start, end, text }: Change): string =>
  source.slice(0, start) + text + source.slice(end);

/** The changed lines before and after, as a diff shows them. */
export function showChange(source: string, change: Change): string {
  const from = source.lastIndexOf("\n", change.start - 1) + 1;
  const newline = source.indexOf("\n", change.end);
  const to = newline === -1 ? source.length : newline;
  const mark = (sign: string, text: string) => text.split("\n").map((line) => `    ${sign} ${line.trim()}`);
  const after = source.slice(from, change.start) + change.text + source.slice(change.end, to);
  return [...mark("-", source.slice(from, to)), ...mark("+", after)].join("\n");
}
