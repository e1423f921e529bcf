import ts from 'typescript';

const { SyntaxKind } = ts;

const operators = {
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
};
const textOperators = new Set(['+', '+=']);

/** For each method, the method to call instead; null removes the call. */
const methods = {
  __proto__: null,
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  ceil: 'floor',
  floor: 'ceil',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trim: null,
  sort: null,
  filter: null,
  slice: null,
};

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && isText(node.left));

/** Types and decorators have no mutants: the compiler and the emitted schema check them. */
const isDeclaration = (node) =>
  ts.isTypeNode(node) ||
  ts.isDecorator(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

export function mutantsOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const replace = (node, ...texts) => {
    const start = node.getStart(file);
    const was = source.slice(start, node.end);
    const { line } = file.getLineAndCharacterOfPosition(start);
    for (const text of texts)
      if (text !== was) mutants.push({ start, end: node.end, line: line + 1, was, becomes: text });
  };

  const visit = (node) => {
    if (isDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(file);
      const isOfTexts = textOperators.has(operator) && (isText(node.left) || isText(node.right));
      const [left, right] = [node.left.getText(file), node.right.getText(file)];
      for (const other of isOfTexts ? [] : (operators[operator] ?? []))
        // JavaScript allows `??` next to `&&` only with parentheses.
        replace(node, operator === '??' ? `(${left}) ${other} (${right})` : `${left} ${other} ${right}`);
    }
    if (ts.isIfStatement(node)) replace(node.expression, 'true', 'false');
    if (ts.isConditionalExpression(node)) replace(node.condition, 'true', 'false');
    if (ts.isWhileStatement(node)) replace(node.expression, 'false');
    if (ts.isForStatement(node) && node.condition) replace(node.condition, 'false');
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken)
      replace(node, node.operand.getText(file));
    if (node.kind === SyntaxKind.TrueKeyword) replace(node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) replace(node, 'true');
    if (ts.isNumericLiteral(node)) replace(node, String(Number(node.text.replaceAll('_', '')) + 1));
    if (ts.isStringLiteralLike(node) && !isName(node)) replace(node, node.text === '' ? "'mutant'" : "''");
    if (ts.isTemplateExpression(node)) replace(node, "''");
    if (ts.isRegularExpressionLiteral(node)) replace(node, ...patternsFor(node.text));
    if (ts.isArrayLiteralExpression(node)) replace(node, node.elements.length > 0 ? '[]' : "['mutant']");
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) replace(node, '({})');
    if (ts.isPropertyAccessExpression(node) && node.questionDotToken)
      replace(node, `${node.expression.getText(file)}.${node.name.text}`);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      const other = methods[name.text];
      if (other === null) replace(node, expression.getText(file));
      else if (other) replace(name, other);
    }
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && !isNothing(node.body))
      replace(node.body, 'undefined');
    if (ts.isReturnStatement(node) && node.expression && !isNothing(node.expression))
      replace(node.expression, 'undefined');
    if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) replace(node, ';');
    if (ts.isBlock(node) && node.statements.length > 1) replace(node, '{}');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

const isNothing = (node) => ts.isIdentifier(node) && node.text === 'undefined';

/** Whether a text only names a property or a module. */
const isName = (node) =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) || ts.isLiteralTypeNode(node.parent);

/** Variants of a pattern: without one anchor, without `i`, with `+` removed, or with `*` made `+`. */
function patternsFor(text) {
  const end = text.lastIndexOf('/');
  const [pattern, flags] = [text.slice(1, end), text.slice(end + 1)];
  const others = [];
  if (pattern.startsWith('^')) others.push([pattern.slice(1), flags]);
  if (pattern.endsWith('$') && !pattern.endsWith('\\$')) others.push([pattern.slice(0, -1), flags]);
  if (flags.includes('i')) others.push([pattern, flags.replace('i', '')]);
  for (const { index, 0: sign } of pattern.matchAll(/(?<![\\([])[+*](?![^[]*\])/g))
    others.push([pattern.slice(0, index) + (sign === '+' ? '' : '+') + pattern.slice(index + 1), flags]);
  return others
    .filter(([changed, flag]) => isPattern(changed, flag))
    .map(([changed, flag]) => `/${changed}/${flag}`);
}

function isPattern(pattern, flags) {
  try {
    new RegExp(pattern, flags);
    return pattern !== '';
  } catch {
    return false;
  }
}

export const withMutant = (source, { start, end, becomes }) =>
  source.slice(0, start) + becomes + source.slice(end);
