import ts from 'typescript'

/**
 * Counts the object and array literals of a source file that are spread whole into another one, which would say the
 * same without the spread. What is computed from a literal, such as `...[1, 2].map(half)`, does not count.
 */
export function countSpreadLiterals(file: string, text: string): number {
  if (!/\.\.\.\(*[{[]/.test(text)) return 0
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const countIn = (node: ts.Node): number => {
    const isSpread = ts.isSpreadElement(node) || ts.isSpreadAssignment(node)
    const own = isSpread && isLiteral(node.expression) ? 1 : 0
    const children: ts.Node[] = []
    node.forEachChild((child) => void children.push(child))
    return children.reduce((total, child) => total + countIn(child), own)
  }
  return countIn(source)
}

function isLiteral(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
    return isLiteral(expression.expression)
  return ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression)
}
