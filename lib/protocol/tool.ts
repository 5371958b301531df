import { z } from 'zod'

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

/** What a provider is told about a tool: `parameters` is a JSON Schema (draft 2020-12) object. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** What a site must have before a tool is of any use. */
export const ToolNeed = z.enum(['storage'])
export type ToolNeed = z.infer<typeof ToolNeed>

/** What gates and pages know about a tool. */
export type ToolMeta = ToolSpec & {
  group: string
  enabledByDefault: boolean
  requiresAdmin: boolean
  effect: Effect
  dataClass: DataClass
  timeoutMs: number
  /** Left out = it works on every site. */
  needs?: ToolNeed
}

/** Who a run acts for. Tools enforce this person's rights inside `execute` (SPEC A2a). */
export const Actor = z.object({ userId: z.string(), email: z.string(), role: Role })
export type Actor = z.infer<typeof Actor>

/** Thrown by tool authors: code and message reach the model (SPEC T8). Anything else becomes "The tool failed." */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'ToolError'
  }
}

/** Approximate tokens a tool's schema costs in every request that offers it: JSON bytes / 4, rounded up. */
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

/** Shown and audited, never sent to the model (SPEC T3). `data` of an image is base64. */
export const Artifact = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), title: z.string(), text: z.string() }),
  z.object({
    type: z.literal('table'),
    title: z.string(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
  }),
  z.object({
    type: z.literal('image'),
    title: z.string(),
    mediaType: z.string(),
    data: z.string(),
  }),
])
export type Artifact = z.infer<typeof Artifact>

/** An image as a tool returns it; what it is, its bytes say. */
export type ToolImage = { data: Uint8Array; name?: string | undefined }

/**
 * What `execute` returns: `content` goes to the model (after cutting and wrapping), `images` to a model that takes them, and
 * artifacts never do (SPEC T3).
 */
export type ToolResult = { content: JsonValue; images?: ToolImage[]; artifacts?: Artifact[] }

export type CallContext = { signal: AbortSignal; actor: Actor; runId: string; callId: string }

/** A tool as the runtime sees it: whatever it needs from this installation is already bound into it. */
export type ExecutableTool = ToolMeta & {
  parse: (args: unknown) => { ok: true; args: unknown } | { ok: false; issues: string[] }
  execute: (args: unknown, context: CallContext) => Promise<ToolResult>
}
