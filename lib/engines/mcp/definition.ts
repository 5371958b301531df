import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cleanText } from '@/lib/words/clean-text'
import { hiddenWords } from '@/lib/words/hidden-text'
import { canonicalJson } from '@/lib/words/json-text'
import { headerFault } from './transport/parameter-headers'
import { takingTurns } from './turns'

const JsonObject = z.record(z.string(), z.unknown())
const short = (most: number) =>
  z
    .string()
    .transform((text) => text.slice(0, most))
    .optional()
    .catch(undefined)

/** A server's hints about the effect of its tool. They are shown to people and never trusted. */
const Annotations = z
  .object({
    title: short(200),
    readOnlyHint: z.boolean().optional().catch(undefined),
    destructiveHint: z.boolean().optional().catch(undefined),
    idempotentHint: z.boolean().optional().catch(undefined),
    openWorldHint: z.boolean().optional().catch(undefined),
  })
  .catch({})

/**
 * A tool as its server defines it: everything that a person accepts. Icons are kept as they are, because a changed icon is a
 * changed definition, and never fetched.
 */
export const ToolDefinitionRecord = z.object({
  name: z.string().min(1).max(256),
  title: short(200),
  description: z
    .string()
    .transform((text) => text.slice(0, 8_000))
    .catch(''),
  inputSchema: JsonObject,
  outputSchema: JsonObject.optional().catch(undefined),
  annotations: Annotations.optional(),
  icons: z.array(z.unknown()).max(20).optional().catch(undefined),
})
export type ToolDefinitionRecord = z.output<typeof ToolDefinitionRecord>

const mostDefinitionBytes = 256 * 1024

export type ReadDefinitions = {
  /** With the hash of all that a person accepts. */
  tools: { definition: ToolDefinitionRecord; hash: string }[]
  /** Sentences about definitions that cannot be used or have hidden characters, and what is missing. */
  problems: string[]
  /** Why tools are missing that the server may have; null = these are all. */
  incomplete: string | null
}

/**
 * Reads what a server sent as its tools. One that cannot be read costs the others nothing. `inHeaders`: parameters are also
 * sent in headers where a schema asks for it. `incomplete`: why more may have been sent.
 */
export async function readDefinitions(
  sent: readonly unknown[],
  { inHeaders, incomplete = null }: { inHeaders: boolean; incomplete?: string | null },
): Promise<ReadDefinitions> {
  const tools = new Map<string, ReadDefinitions['tools'][number]>()
  const problems = incomplete === null ? [] : [`List incomplete: ${incomplete}`]
  const nextTurn = takingTurns()
  for (const [at, each] of sent.entries()) {
    await nextTurn()
    const text = JSON.stringify(each)
    if (text.length > mostDefinitionBytes) {
      const most = `${mostDefinitionBytes / 1024} KiB`
      problems.push(`The definition of ${shownName(each, at)} is larger than ${most}.`)
      continue
    }
    const { success, data, error } = ToolDefinitionRecord.safeParse(cleaned(text))
    if (!success) {
      const [issue] = error.issues
      problems.push(`Tool ${at + 1} cannot be used: ${issue?.path.join('.')}: ${issue?.message}.`)
      continue
    }
    const shown = shownName(data, at)
    const fault = inHeaders ? headerFault(data.inputSchema) : null
    const known = tools.get(data.name)
    // A page that is sent twice says nothing new.
    if (known?.hash === hashOf(each)) continue
    if (known) problems.push(`${shown} is defined twice. The first one counts.`)
    else if (JSON.stringify(data).includes('\\u0000')) {
      problems.push(`The definition of ${shown} has names that cannot be stored.`)
    } else if (fault !== null) problems.push(`${shown} cannot be called: ${fault}.`)
    else {
      tools.set(data.name, { definition: data, hash: hashOf(each) })
      const warning = hiddenWords(data)
      if (warning !== null) problems.push(`${shown}: ${warning}`)
    }
  }
  return { tools: [...tools.values()], problems, incomplete }
}

const Named = z.object({ name: z.string() })

/** Returns the beginning of a tool's name in quotes, or its place where it has none. */
function shownName(definition: unknown, at: number): string {
  const { data } = Named.safeParse(definition)
  return data ? JSON.stringify(cleanText(data.name.slice(0, 80))) : `tool ${at + 1}`
}

/** Returns the value of JSON with texts that can be stored and sent. */
function cleaned(json: string): unknown {
  return JSON.parse(json, (_name, inner) => (typeof inner === 'string' ? cleanText(inner) : inner))
}

/**
 * Returns the hash of a definition as the server sent it: a change of anything in it is a change, also of what is cut or
 * left out here. `_meta` may differ from answer to answer, and is nothing that people or models see.
 */
function hashOf(sent: unknown): string {
  const { _meta, ...definition } = z.record(z.string(), z.unknown()).parse(sent)
  return createHash('sha256')
    .update(canonicalJson(JSON.stringify(definition)))
    .digest('hex')
}

const longestName = 48

/**
 * Returns the name of a server's tool for models: `server__tool` of a to z, 0 to 9 and underscores, at most 48 characters.
 * `taken` are the names that other tools have; a name that is cut, or would be taken, ends in a part of its hash.
 */
export function offeredName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${namePrefix(server)}${plainName(tool)}`
  const isExact = plain.length <= longestName && !taken.has(plain)
  if (isExact) return plain
  for (let attempt = 0; ; attempt++) {
    const hash = createHash('sha256').update(`${server}\0${tool}\0${attempt}`).digest('hex')
    const end = `_${hash.slice(0, 6)}`
    const name = plain.slice(0, longestName - end.length).replace(/_+$/, '') + end
    if (!taken.has(name)) return name
  }
}

/** Returns what the names of a server's tools for models begin with. */
export function namePrefix(server: string): string {
  return `${plainName(server)}__`
}

function plainName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return words === '' ? 'tool' : words
}
