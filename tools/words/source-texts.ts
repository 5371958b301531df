import { parseSync } from '@swc/core'

export type Text = { line: number; text: string }

const sql =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|TRUNCATE|LISTEN|NOTIFY|SET LOCAL|LOCK|BEGIN|CASE|AND|OR)\s|\b(?:SELECT|FROM|WHERE|RETURNING|JOIN|COALESCE|ORDER BY|CASE WHEN)\b|::\w+|\bcoalesce\(/
const otherCode = /\(\?:|^(?:Bearer )?[a-z]+\/[\w.+-]+[;,]|'(?:self|none|unsafe-inline)'|^use \w+$/
const className =
  /^!?-?(?:[a-z@*-]+(?:-\[[^\]]*\])?(?:\/\w+)?:|\[[^\]]*\]:|[a-z]+\([^)]*\):)*(?:-?[a-z]+(?:-[a-z0-9./%]+)*-(?:\[[^\]]+\]|\([^)]*\)|[a-z0-9./%]+)|flex|grid|block|inline|hidden|relative|absolute|sticky|fixed|truncate|contents|border|rounded|group|peer|underline|italic|uppercase|transition|static|isolate|invisible|grow|shrink|container|table|resize|outline|shadow|min|max)$/
/** Attributes that the browser or the code reads, not a person. */
const codeAttributes =
  /^(?:class(?:Name|es)?|\w+ClassName|id|href|src|type|name|method|action|rel|target|role|variant|size|key|htmlFor|form|autoComplete|inputMode|pattern|style|d|viewBox|fill|side|align|tone|as|encType|data-.*|aria-(?:controls|describedby|labelledby|live|current|haspopup|sort|orientation|autocomplete|relevant|invalid))$/
const codeKeys =
  /^(?:class(?:Name|es)?|\w+ClassName|id|href|src|type|key|style|pattern|path|method|event|kind|code|data-.*)$/
/** Calls whose texts are code: classes, statements, patterns, lookups. */
const codeCalls = new Set(
  'cn cva clsx twMerge query unsafe require import getElementById querySelector querySelectorAll getItem setItem addEventListener removeEventListener createElement startsWith endsWith includes indexOf getAttribute setAttribute matchMedia has is RegExp split'.split(
    ' ',
  ),
)
const codeTags = /^(?:sql|raw|queryRaw|executeRaw|\$queryRaw|\$executeRaw|css)$/
/** Keys and names whose values are for people even when they are one lower-case word: `label: 'off'`, `stateWords`. */
const wordy =
  /(?:label|title|words?|texts?|hint|description|placeholder|message|reason|advice|heading|summary|caption|help|note|names|labels|titles|legend|empty|thing)$/i
/** Elements that stand inside a sentence. */
const inline = new Set(
  'a abbr b br code em i kbd small span strong sub sup time Link HoverPrefetchLink Kbd Code'.split(
    ' ',
  ),
)

/** Lists what a person may read in a source file, in order. A sentence of JSX with its inline elements is one entry. */
export function sourceTexts(file: string, source: string): Text[] {
  const lineOf = lineFinder(source)
  const texts: Text[] = []
  const add = (node: Node, value: string) => {
    const text = value.replace(/\s+/g, ' ').trim()
    const before = node.type === 'JSXText' ? (/^\s*/.exec(String(node.value))?.[0] ?? '') : ''
    const line = lineOf(node) + before.split('\n').length - 1
    if (/\p{L}/u.test(text.replace(/\{[^}]*\}/g, ''))) texts.push({ line, text })
  }
  visit(parse(file, source), { near: '', add, inSentence: false })
  return texts.sort((a, b) => a.line - b.line)
}

type Place = {
  /** The attribute, key or constant that the value belongs to. */
  near: string
  add: (node: Node, value: string) => void
  /** The texts of these elements are already part of a sentence around them. */
  inSentence: boolean
}

function visit(value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, place)
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) visitNode(value, place)
  else for (const part of Object.values(value)) visit(part, place)
}

function visitNode(node: Node, place: Place): void {
  if (isCode(node)) return
  switch (node.type) {
    case 'StringLiteral':
      visitString(node, String(node.value), place)
      break
    case 'TemplateLiteral':
      visitString(node, templateText(node), place)
      visit(node.expressions, place)
      break
    case 'JSXElement':
    case 'JSXFragment':
      visitElement(node, place)
      break
    case 'JSXAttribute':
      if (!codeAttributes.test(attributeName(node))) {
        visit(node.value, { ...place, near: attributeName(node) })
      }
      break
    case 'KeyValueProperty':
      if (!isCodeProperty(node)) {
        visit(node.value, { ...place, near: wordyKey(node.key, place.near) })
      }
      break
    case 'CallExpression':
      visit(node.callee, place)
      visit(node.arguments, {
        ...place,
        near: nameOf(node.callee) === 'printTable' ? 'titles' : '',
      })
      break
    case 'VariableDeclarator':
      visit(node.init, { ...place, near: nameOf(node.id) })
      break
    default: {
      const { type: _, span: __, ...parts } = node
      visit(Object.values(parts), place)
    }
  }
}

function isCodeProperty({ key, value }: Node): boolean {
  const name = nameOf(key)
  const isString = isNode(value) && value.type === 'StringLiteral'
  return isString && codeKeys.test(name)
}

function isCode(node: Node): boolean {
  if (node.type.startsWith('Import') || node.type.startsWith('Ts')) return !node.expression
  if (node.type === 'ExportAllDeclaration' || node.type === 'RegExpLiteral') return true
  if (node.type === 'ExportNamedDeclaration') return true
  if (node.type === 'TaggedTemplateExpression') return codeTags.test(nameOf(node.tag))
  if (node.type === 'CallExpression') return codeCalls.has(nameOf(node.callee))
  if (node.type === 'BinaryExpression') return /^[!=]==?$/.test(String(node.operator))
  return false
}

/**
 * Returns the name that decides whether values are words: `stateWords` for `{ off: 'never' }` inside it, otherwise the
 * key.
 */
function wordyKey(key: unknown, near: string): string {
  return wordy.test(near) && !wordy.test(nameOf(key)) ? near : nameOf(key)
}

function visitString(node: Node, text: string, { near, add }: Place): void {
  if (isText(text) || (wordy.test(near) && /^[\p{L}-]{2,}$/u.test(text))) add(node, text)
}

function visitElement(node: Node, place: Place): void {
  const children = nodes(node.children)
  const hasText = children.some(
    ({ type, value }) => type === 'JSXText' && /\p{L}/u.test(`${value}`),
  )
  if (hasText && !place.inSentence) place.add(firstText(children) ?? node, sentence(children))
  if (isNode(node.opening)) visit(node.opening.attributes, { ...place, inSentence: false })
  for (const child of children) {
    if (child.type === 'JSXText') continue
    const inSentence = isInline(child) && (hasText || place.inSentence)
    visit(child, { ...place, near: inSentence ? 'text' : '', inSentence })
  }
}

function firstText(children: Node[]): Node | undefined {
  return children.find(({ type, value }) => type === 'JSXText' && /\S/.test(String(value)))
}

function sentence(children: Node[]): string {
  return children.map(childText).join('')
}

function childText(child: Node): string {
  if (child.type === 'JSXText') return String(child.value).replace(/\s*\n\s*/g, lineBreak)
  if (child.type === 'JSXElement') return isInline(child) ? sentence(nodes(child.children)) : ' '
  if (child.type === 'JSXExpressionContainer') return placeholder(child.expression)
  return ' '
}

/** Returns what a line break in JSX stands for: a space between words, nothing at either end. */
function lineBreak(found: string, at: number, whole: string): string {
  return at === 0 || at + found.length === whole.length ? '' : ' '
}

function isInline(node: Node): boolean {
  return node.type === 'JSXElement' && isNode(node.opening) && inline.has(nameOf(node.opening.name))
}

function attributeName({ name }: Node): string {
  if (isNode(name) && name.type === 'JSXNamespacedName') {
    return `${nameOf(name.namespace)}:${nameOf(name.name)}`
  }
  return nameOf(name)
}

function templateText({ quasis, expressions }: Node): string {
  const values = nodes(expressions).map(placeholder)
  return nodes(quasis)
    .map((part, at) => `${part.cooked ?? part.raw}${values[at] ?? ''}`)
    .join('')
}

/** Returns "{name}" for a value that the program fills in; the text itself where it is a plain string. */
function placeholder(expression: unknown): string {
  if (!isNode(expression) || expression.type === 'JSXEmptyExpression') return ''
  if (expression.type === 'StringLiteral') return String(expression.value)
  return `{${nameOf(expression) || '…'}}`
}

/** Returns whether a string of the source looks like text for a person. */
function isText(value: string): boolean {
  const text = value.trim()
  if (!/\p{L}{2}/u.test(text) || sql.test(text) || otherCode.test(text)) return false
  if (/^--[a-z-]+ [<[]/.test(text)) return true
  if (!/\s/.test(text)) return /^\p{Lu}\p{Ll}+(?:’s)?[.…!?:]*$/u.test(text)
  return !isClassList(text)
}

function isClassList(text: string): boolean {
  if (/^\p{Lu}|[.?!…]$/u.test(text)) return false
  const tokens = text.split(/\s+/)
  const classes = tokens.filter((token) => className.test(token)).length
  return classes === tokens.length || (tokens.length > 2 && classes > tokens.length / 2)
}

type Node = { type: string; [key: string]: unknown }

/** Parses TypeScript and JavaScript, with JSX where the file's name ends in "x". */
function parse(file: string, source: string): unknown {
  return parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' })
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}

function nodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

/** Returns the name of an identifier, a string key, a JSX tag or the last part of `a.b`; '' for anything else. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (typeof node.value === 'string') return node.value
  if (node.type === 'MemberExpression') return nameOf(node.property)
  if (node.type === 'JSXMemberExpression') return nameOf(node.property)
  if (node.type === 'CallExpression') return nameOf(node.callee)
  return ''
}

/** Returns a function that gives the line (from 1) of a node: the parser counts bytes of UTF-8, from 1. */
function lineFinder(source: string): (node: Node) => number {
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
