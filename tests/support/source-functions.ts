import path from 'node:path'
import { parseSync } from '@swc/core'

export type SourceFile = { file: string; text: string }

/** A top-level function, class or constant of a file, and what stands anywhere inside it. */
export type SourceFunction = {
  /** "lib/domains/users/verbs.ts#createUser" */
  place: string
  writes: Write[]
  /** It runs in the transaction of whoever calls it: it takes `tx`, or is a constant such as a statement. */
  isPart: boolean
  /** Places of other functions it names: calls them or hands them on. */
  uses: string[]
}

/**
 * `model` is Prisma's name for it, or the table's for SQL. `outside` = not through a transaction that was passed on.
 */
type Write = { model: string; outside: boolean }

type Node = { type: string; [key: string]: unknown }

const writingMethods = new Set([
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'delete',
  'deleteMany',
])
const writingSql =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE|UPDATE(?=\s+\S+(?:\s+(?:AS\s+)?\w+)?\s+SET\b))\s+"?(\w+)/gi

/** Returns every top-level function of these files. `models` are the names of Prisma's models and of the tables. */
export function sourceFunctions(
  files: readonly SourceFile[],
  models: ReadonlySet<string>,
): SourceFunction[] {
  return files.flatMap((source) => functionsOf(source, models))
}

function functionsOf({ file, text }: SourceFile, models: ReadonlySet<string>): SourceFunction[] {
  const tree: unknown = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx') })
  const items = isNode(tree) && Array.isArray(tree.body) ? tree.body.filter(isNode) : []
  const declared = items.flatMap(declarationsOf)
  const names = new Map<string, string>(declared.map(({ name }) => [name, `${file}#${name}`]))
  for (const item of items)
    for (const [local, place] of importsOf(item, file)) names.set(local, place)
  return declared.map(({ name, node }) => ({
    place: `${file}#${name}`,
    writes: [...writesIn(node, models)],
    isPart: isPart(node),
    uses: [...usesIn(node, names)].filter((place) => place !== `${file}#${name}`),
  }))
}

function declarationsOf(item: Node): { name: string; node: Node }[] {
  const node = 'declaration' in item && isNode(item.declaration) ? item.declaration : item
  if (node.type === 'ImportDeclaration' || node.type.startsWith('Ts')) return []
  if (isNode(node.identifier)) return [{ name: String(node.identifier.value), node }]
  if (!Array.isArray(node.declarations)) return [{ name: 'the file itself', node }]
  return node.declarations
    .filter(isNode)
    .map((each) => ({ name: isNode(each.id) ? String(each.id.value) : '', node: each }))
}

function isPart(node: Node): boolean {
  const body = node.type === 'VariableDeclarator' && isNode(node.init) ? node.init : node
  if (body.type === 'ClassDeclaration') return false
  return Array.isArray(body.params) ? takesTransaction(body) : body.type !== 'CallExpression'
}

function takesTransaction({ params }: Node): boolean {
  return (Array.isArray(params) ? params : []).some((param) => {
    const pattern = isNode(param) && isNode(param.pat) ? param.pat : param
    return isNode(pattern) && pattern.type === 'Identifier' && pattern.value === 'tx'
  })
}

function* importsOf(item: Node, file: string): Generator<[local: string, place: string]> {
  if (item.type !== 'ImportDeclaration' || !isNode(item.source)) return
  const target = resolved(String(item.source.value), file)
  const specifiers = Array.isArray(item.specifiers) ? item.specifiers.filter(isNode) : []
  for (const { local, imported } of specifiers) {
    if (!isNode(local)) continue
    const name = isNode(imported) ? imported.value : local.value
    yield [String(local.value), `${target}#${name}`]
  }
}

function resolved(source: string, file: string): string {
  if (source.startsWith('@/')) return `${source.slice(2)}.ts`
  return source.startsWith('.') ? `${path.posix.join(path.posix.dirname(file), source)}.ts` : source
}

function* writesIn(root: Node, models: ReadonlySet<string>): Generator<Write> {
  for (const node of nodesIn(root)) {
    const model = node.type === 'CallExpression' ? writtenModel(node.callee, models) : null
    if (model) yield model
    for (const text of textsOf(node)) {
      for (const [, table = ''] of text.matchAll(writingSql))
        if (models.has(table)) yield { model: table, outside: false }
    }
  }
}

/** Returns what `tx.user.update` or `db().user.update` writes, and whether it is outside of a transaction. */
function writtenModel(callee: unknown, models: ReadonlySet<string>): Write | null {
  const [target, method] = memberOf(callee)
  const [receiver, model] = memberOf(target)
  if (!writingMethods.has(method) || !models.has(model)) return null
  return { model, outside: isNode(receiver) && receiver.type === 'CallExpression' }
}

function memberOf(node: unknown): [object: unknown, property: string] {
  if (!isNode(node) || node.type !== 'MemberExpression' || !isNode(node.property)) return [null, '']
  return [node.object, String(node.property.value)]
}

function textsOf(node: Node): string[] {
  if (node.type === 'StringLiteral') return [String(node.value)]
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return []
  return [node.quasis.map((part) => (isNode(part) ? String(part.raw) : '')).join(' x ')]
}

function* usesIn(root: Node, names: ReadonlyMap<string, string>): Generator<string> {
  for (const node of nodesIn(root)) {
    const place = node.type === 'Identifier' ? names.get(String(node.value)) : undefined
    if (place) yield place
  }
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  if (isNode(value)) yield value
  for (const part of Object.values(value)) yield* nodesIn(part)
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  )
}
