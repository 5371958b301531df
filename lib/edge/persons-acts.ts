/**
 * The acts that only a person does who recently confirmed their identity, or the server's own terminal; never an API key,
 * whatever its scopes (SPEC A7). All but the first have equal power: they decide which programs run on the host of Toolgate and
 * what they reach. Each completes "An API key cannot …".
 */
export const personsActs = {
  'sign-in': 'change how people sign in',
  program: 'say which program runs on this server or what it reaches, or switch it on',
  server:
    'say which program runs on this server as an MCP server or where it works, or switch it on',
  workspace: 'make a folder on this server, say which one tools may change, or switch it on',
  tool: 'switch on a tool that runs programs or changes files on this server',
  backup: 'write or delete a backup, or say when one is written and how many are kept',
  approval:
    'lift the approval of calls that run programs or change files on this server, or what refuses them',
} as const
export type PersonsAct = keyof typeof personsActs

type Values = Readonly<Record<string, unknown>>

const sets = (values: Values, ...names: string[]) =>
  names.some((name) => values[name] !== undefined)

/** A change of an object: the values that are given, and the object before; `before` null = it is new. */
type Of<T> = { values: Values; before: T | null }

/** Returns whether a change says what runs, with which arguments and reach, or switches it on. Limits and notes do not. */
export function opensProgram({ values, before }: Of<unknown>): boolean {
  const chosen = ['path', 'first', 'subcommands', 'refused', 'network', 'readable', 'accepted']
  // Rules name programs in their conditions, so another name can lead past them.
  return before === null || sets(values, 'name', ...chosen) || values.enabled === true
}

/** Returns whether a change says which program of this host is a server, or switches it on. */
export function opensServer({ values, before }: Of<{ kind: string }>): boolean {
  if (before === null) return values.kind === 'stdio'
  if (before.kind !== 'stdio') return false
  return sets(values, 'command', 'cwd', 'variables') || values.enabled === true
}

/**
 * Returns whether a change makes a folder or opens one for writing, leads a workspace elsewhere, or switches one on. Somebody may open it for
 * writing at the same moment, so one that is read-only now is no exception.
 */
export function opensWorkspace({ values, before }: Of<unknown>): boolean {
  if (values.writable === true || values.createFolder === true) return true
  return before !== null && (sets(values, 'folder') || values.enabled === true)
}
