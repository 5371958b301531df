import { z } from 'zod'
import { Artifact } from './files/artifact'
import type { TargetState } from './look'

export const Effect = z.enum(['read', 'idempotent-write', 'write'])
export type Effect = z.infer<typeof Effect>

/** Least to most sensitive (SPEC T2). */
export const DataClass = z.enum([
  'public',
  'content',
  'source-code',
  'internal-config',
  'diagnostics',
  'secret-adjacent',
])
export type DataClass = z.infer<typeof DataClass>

export const Role = z.enum(['admin', 'member'])
export type Role = z.infer<typeof Role>

/** A tool as a provider gets it: `parameters` is a JSON Schema object. */
export type ToolSpec = {
  name: string
  description: string
  parameters: Record<string, unknown>
  /** Arguments of a call that makes sense on any installation, which no provider is sent; left out = it has none. */
  example?: Record<string, unknown>
}

/** Resources that a site must have for a tool to be usable. */
export const ToolNeed = z.enum([
  'storage',
  'host',
  'search-endpoint',
  'workspace',
  'program',
  'channel',
  'data-source',
  'site',
])
export type ToolNeed = z.infer<typeof ToolNeed>

/** The facts of a tool for gates and pages. */
export type ToolMeta = ToolSpec & {
  group: string
  enabledByDefault: boolean
  requiresAdmin: boolean
  effect: Effect
  dataClass: DataClass
  timeoutMs: number
  /** Limits of a built-in tool besides its timeout; left out: none stated. */
  limits?: readonly string[]
  /** True = what it returns is written by this installation and its admins alone; left out = others may have written it. */
  trusted?: boolean
  /** Its calls start runs: members of panels and runs that a call started are never offered it. */
  startsRuns?: true
  /** Left out = it works on every site. */
  needs?: ToolNeed
  /** Why its file could not be used, for admins: it only keeps its name, and no gate lets it run. */
  notLoaded?: string
  /** The MCP server that has it; left out = it is built in or an extra tool. */
  server?: string
  /** Hash of the definition of a server's tool that a person accepted; "": none yet. */
  pin?: string
  /** Name of the tool for models; everything else uses its own name. */
  alias?: string
}

/** The person whom a run acts for. Tools enforce this person's rights inside `execute` (SPEC A2a). */
export const Actor = z.object({ userId: z.string(), email: z.string(), role: Role })
export type Actor = z.infer<typeof Actor>

/**
 * Thrown by tool authors: code and message reach the model (SPEC T8). Anything else becomes "The tool failed."
 * `isForeign`: others may have written a part of the message, so it counts as a result that was read.
 */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly isForeign = false,
  ) {
    super(message)
    this.name = 'ToolError'
  }
}

/**
 * Returns the approximate tokens that a tool's schema adds to every request that offers it: JSON bytes / 4, rounded up.
 */
export function schemaTokens(tool: ToolSpec): number {
  const text = JSON.stringify({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
  })
  return Math.ceil(text.length / 4)
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue }

/** An image as a tool returns it; what it is, its bytes say. */
export type ToolImage = { data: Uint8Array; name?: string | undefined }

/**
 * A part that a result does not have, and why (SPEC T10): "all but the first 200 accounts", "at most 200 are listed". Neither has
 * line breaks or a final dot.
 */
export const LeftOut = z.object({
  what: z.string(),
  why: z.string(),
  /** It may have secrets, so nobody gets it. */
  isWithheld: z.literal(true).optional(),
})
export type LeftOut = z.infer<typeof LeftOut>

/**
 * Result of `execute`: `content` goes to the model (after cutting and wrapping), `images` to a model that takes them,
 * and artifacts never do (SPEC T3).
 */
export type ToolResult = {
  content: JsonValue
  /** The parts that are missing; [] = it is complete; absent = a plain value, which has no parts. */
  leftOut?: readonly LeftOut[]
  images?: ToolImage[]
  artifacts?: Artifact[]
  /** Data class of this result, where it may be higher than the tool's own. */
  dataClass?: DataClass
}

/** `signal` is made when it is first asked for, which most tools never do: pass it on as a getter. */
export type CallContext = {
  signal: AbortSignal
  actor: Actor
  runId: string
  /** The configuration of the run; null = it has none. */
  configurationId: string | null
  callId: string
  /** Shows a piece of what the call writes while it runs; its result says all of it. */
  tell?: ((text: string) => void) | undefined
  /** Notes in the journal which run the call started, durably. */
  started?: ((runId: string) => Promise<void>) | undefined
}

/**
 * Reads the target of a tool's calls (SPEC G-W). `read` only reads, and returns the present text; null: nothing.
 * `becomes` returns the text after the call; null: not known. `readBack` finds the written target from the result (as
 * text), where only that names it. `isAct`: `read` returns the act of the call, word for word, and nothing is read
 * back; it must be the same when the call starts.
 */
export type TargetReader = {
  read: (args: unknown, context: CallContext) => Promise<string | null | TargetState>
  becomes?: ((args: unknown, now: string | null | undefined) => string | null) | undefined
  readBack?: (args: unknown, result: string, context: CallContext) => Promise<string | null>
  isAct?: true | undefined
}

/** A tool for the runtime, to which everything that it needs of this installation is already bound. */
export type ExecutableTool = ToolMeta & {
  parse: (args: unknown) => { ok: true; args: unknown } | { ok: false; issues: string[] }
  execute: (args: unknown, context: CallContext) => Promise<ToolResult>
  look?: TargetReader
}

export const FileType = z.enum([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
  'text/plain',
])
export type FileType = z.infer<typeof FileType>

/** A file of a run as its first event keeps it; the content is stored beside it. */
export const RunFile = z.object({
  id: z.string(),
  name: z.string(),
  type: FileType,
  bytes: z.int(),
  sha256: z.string(),
  dataClass: DataClass,
  /** The most tokens that its text can have; absent for images, and for a PDF that cannot be measured. */
  mostTokens: z.int().optional(),
  /** Maximum pages of a PDF; absent: not known. */
  pages: z.int().optional(),
})
export type RunFile = z.infer<typeof RunFile>

export const gateNames = [
  'registered',
  'frozen',
  'group',
  'enabled',
  'role',
  'configuration',
  'trust-zone',
  'skills',
  'selection',
  'pinned',
  'rule',
  'rate',
  'flow',
  'credentials',
] as const
/** The gates of SPEC G in the order they are asked, plus what can stop a call inside a run. */
export const GateName = z.enum([
  ...gateNames,
  'offer',
  'round-limit',
  'hop-budget',
  'state',
  'run-ended',
  'cost-cap',
  'approval',
  'canary',
])
export type GateName = z.infer<typeof GateName>

/**
 * Part of a gate that denied: of a configuration its groups of people (not its tool groups) or its switch; of a run the
 * limits of its API key, or that it may start no runs; of a person the limits of their groups.
 */
export const DenialPart = z.enum(['audience', 'switch', 'api-key', 'group', 'nested'])
export type DenialPart = z.infer<typeof DenialPart>

/** One answer of one gate; `reason` is a sentence for people, `part` says more exactly what to look at. */
export const Denial = z.object({
  allowed: z.literal(false),
  gate: GateName,
  reason: z.string(),
  part: DenialPart.optional(),
  /** The offered tool whose name is nearest to one that does not exist. */
  nearest: z.string().optional(),
  /** Text for the model instead of the gate's own words. */
  told: z.string().optional(),
})
export type Denial = z.infer<typeof Denial>
export const Verdict = z.discriminatedUnion('allowed', [
  z.object({ allowed: z.literal(true) }),
  Denial,
])
export type Verdict = z.infer<typeof Verdict>

/** Maximum bytes of a truncated result that the trace can still show (SPEC T5). */
export const maxSavedBytes = 5 * 1024 * 1024

/**
 * End of a call. `content`: the result after cutting to 64 KiB (SPEC T5), before wrapping; `originalBytes`: the UTF-8
 * size of the whole result; `flags`: the suspicious phrases found in it, once for each place (SPEC T6).
 */
export const Outcome = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ok'),
    content: z.string(),
    truncated: z.boolean(),
    originalBytes: z.int(),
    artifacts: z.array(Artifact),
    /** Images of the result, stored beside the journal; absent: none. */
    images: z.array(RunFile).optional(),
    /** As of `ToolResult`, with what was cut after it; runs of before have none. */
    leftOut: z.array(LeftOut).optional(),
    /** Sentences about images that were not kept, in runs of before `leftOut`. */
    imagesLeftOut: z.array(z.string()).optional(),
    flags: z.array(z.string()),
    /** Data class of the result; absent: that of its tool. */
    dataClass: DataClass.optional(),
  }),
  z.object({
    type: z.literal('denied'),
    gate: GateName,
    reason: z.string(),
    nearest: z.string().optional(),
    told: z.string().optional(),
  }),
  z.object({ type: z.literal('invalid-arguments'), issues: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    code: z.string(),
    message: z.string(),
    incidentId: z.string().nullable(),
    /** As of a result; absent = nobody else wrote a part of the message. */
    flags: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal('timed-out'), timeoutMs: z.int() }),
  z.object({ type: z.literal('cancelled'), reason: z.string() }),
  z.object({ type: z.literal('unknown'), reason: z.string() }),
])
export type Outcome = z.infer<typeof Outcome>

export const OutcomeType = z.enum(Outcome.options.map(({ shape }) => shape.type.value))

/**
 * One gate's part in a decision. `words` completes "Allowed: …" for a yes and "Denied: …" for a no, and names a gate
 * that was not asked.
 */
export const GateAnswer = z.object({
  gate: GateName,
  answer: z.enum(['yes', 'no', 'not-asked']),
  words: z.string(),
})
export type GateAnswer = z.output<typeof GateAnswer>
