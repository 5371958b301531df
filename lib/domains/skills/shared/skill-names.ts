import type { ArgumentCondition } from '@/lib/protocol/approval'

/**
 * Meaning of a name under `allowed-tools`: a tool of this site, and the condition for the arguments of its calls; null:
 * all calls.
 */
type Meaning = { tool: string; only: ArgumentCondition | null }

/** Kind of the pattern after a name: a file, a host, or none. */
type Pattern = 'path' | 'domain' | 'none'

/** Names of tools of other products, with the tool here that does the same. A Map, because a file of anybody writes them. */
const otherNames: ReadonlyMap<string, { tool: string; pattern: Pattern }> = new Map([
  ['Read', { tool: 'read_file', pattern: 'path' }],
  ['Write', { tool: 'write_file', pattern: 'path' }],
  ['Edit', { tool: 'edit_file', pattern: 'path' }],
  ['MultiEdit', { tool: 'edit_file', pattern: 'path' }],
  ['LS', { tool: 'list_directory', pattern: 'path' }],
  ['Glob', { tool: 'list_directory', pattern: 'path' }],
  ['Grep', { tool: 'search_files_text', pattern: 'path' }],
  ['WebFetch', { tool: 'fetch_url', pattern: 'domain' }],
  ['WebSearch', { tool: 'web_search', pattern: 'none' }],
])

/**
 * Returns what a name under `allowed-tools` allows (SPEC G-S). A name of another product, such as `Read` or `Read(docs/**)`, means
 * the tool here that does the same, with its pattern as a condition on an argument. Null = nothing here does that, or the pattern
 * cannot be read.
 */
export function meaningOf(name: string): Meaning | null {
  const [, product = '', pattern] = /^([A-Z][A-Za-z]*)(?:\((.*)\))?$/s.exec(name) ?? []
  const known = otherNames.get(product)
  if (!known) return isOtherName(name) ? null : { tool: name, only: null }
  if (pattern === undefined || pattern === '*' || pattern === '**')
    return { tool: known.tool, only: null }
  const only = conditionOf(known.pattern, pattern)
  return only && { tool: known.tool, only }
}

/** Returns whether a name under `allowed-tools` is one of another product, as far as that can be seen: `Bash(git *)`. */
export function isOtherName(name: string): boolean {
  return /^[A-Z]/.test(name)
}

function conditionOf(kind: Pattern, pattern: string): ArgumentCondition | null {
  if (kind === 'domain') {
    const domain = /^domain:((?:\*\.)?[a-z0-9.-]+)$/i.exec(pattern)?.[1]
    return domain ? { path: '$.url', operator: 'host-is', value: domain.toLowerCase() } : null
  }
  const expression = kind === 'path' ? pathExpression(pattern) : null
  return expression === null ? null : { path: '$.path', operator: 'matches', value: expression }
}

/** Returns a regular expression for a pattern of relative paths, in which `*` stays in a folder and `**` does not. */
function pathExpression(pattern: string): string | null {
  const relative = pattern.replace(/^\.\//, '')
  if (
    relative === '' ||
    relative.length > 200 ||
    /^[/~]|\\|[[\]{}!]|(^|\/)\.\.(\/|$)/.test(relative)
  ) {
    return null
  }
  const parts = relative.match(/\*\*\/|\*\*|\*|\?|[^*?]+/g) ?? []
  return `^${parts.map(partExpression).join('')}$`
}

function partExpression(part: string): string {
  switch (part) {
    case '**/':
      return '(?:[^/]+/)*'
    case '**':
      return '.+'
    case '*':
      return '[^/]*'
    case '?':
      return '[^/]'
    default:
      return part.replace(/[.+^$()|]/g, '\\$&')
  }
}

/** Returns whether skills that allow these names allow any calls of a tool. */
export function isGranted(names: Iterable<string>, tool: string): boolean {
  for (const name of names) if (meaningOf(name)?.tool === tool) return true
  return false
}

/** A name that allows some calls of a tool, and the condition that their arguments fit. */
export type PartialGrant = { name: string; only: ArgumentCondition }

/**
 * Returns the names of which the arguments of a tool's calls have to fit one; null = they may be any, or another gate says no.
 * `names`: what the skills allow, and null = they do not limit the tools.
 */
export function partialGrants(
  names: Iterable<string> | null,
  tool: string,
): readonly PartialGrant[] | null {
  const grants: PartialGrant[] = []
  for (const name of names ?? []) {
    const meaning = meaningOf(name)
    if (meaning?.tool !== tool) continue
    if (meaning.only === null) return null
    grants.push({ name, only: meaning.only })
  }
  return grants.length > 0 ? grants : null
}
