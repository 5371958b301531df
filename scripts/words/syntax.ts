import { parseSync } from '@swc/core'

export type Node = { type: string; [key: string]: unknown }

/** Parses TypeScript and JavaScript, with JSX where the file's name ends in "x". */
export function parse(file: string, source: string): unknown {
  return parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' })
}

export function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}

export function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns the name of an identifier, a string key, a JSX tag or the last part of `a.b`; '' for anything else. */
export function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (typeof node.value === 'string') return node.value
  if (node.type === 'MemberExpression') return nameOf(node.property)
  if (node.type === 'JSXMemberExpression') return nameOf(node.property)
  if (node.type === 'CallExpression') return nameOf(node.callee)
  return ''
}

/** Returns a function that gives the line (from 1) of a node: the parser counts bytes of UTF-8, from 1. */
export function lineFinder(source: string): (node: Node) => number {
  const lineStarts = [0]
  const bytes = Buffer.from(source)
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lineStarts.push(at + 1)
  return (node) => {
    const at = startOf(node)
    const next = lineStarts.findIndex((start) => start > at)
    return next < 0 ? lineStarts.length : next
  }
}

function startOf({ span }: Node): number {
  const hasStart = typeof span === 'object' && span !== null && 'start' in span
  return hasStart ? Number(span.start) - 1 : 0
}
