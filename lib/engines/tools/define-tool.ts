import { z } from 'zod'
import type { RemoteState } from '@/lib/domains/servers/shared/remote-state'
import type { TargetState } from '@/lib/protocol/look'
import type {
  CallContext,
  DataClass,
  Effect,
  TargetReader,
  ToolMeta,
  ToolNeed,
  ToolResult,
} from '@/lib/protocol/tool'
import type { ToolResources } from './tool-resources'

/**
 * Second argument of `execute` and `look`. `resources` is everything that a built-in tool may touch of this
 * installation.
 */
export type ToolContext = CallContext & { resources: ToolResources }

type Execute<P extends z.ZodObject, Result> = (
  args: z.output<P>,
  context: ToolContext,
) => Promise<Result>

/** `isPlain`: its result has no parts that could be missing, such as a sum. Any other one says what it left out (SPEC T10). */
type Answers<P extends z.ZodObject> =
  | { isPlain: true; execute: Execute<P, Omit<ToolResult, 'leftOut'>> }
  | {
      isPlain?: never
      execute: Execute<P, ToolResult & Required<Pick<ToolResult, 'leftOut'>>>
    }

type Definition<P extends z.ZodObject> = Answers<P> & {
  name: string
  description: string
  group: string
  parameters: P
  enabledByDefault: boolean
  requiresAdmin: boolean
  effect: Effect
  dataClass: DataClass
  timeoutMs: number
  /** Limits besides the timeout, such as "50 entries a call". The same figures stand in the code of the tool. */
  limits: readonly string[]
  /** Arguments of a call that makes sense on any installation, for its documentation and for whoever tries it. */
  example: z.input<P>
  needs?: ToolNeed
  /** Its calls start runs. */
  startsRuns?: true
  /** True = nobody but this installation and its admins writes what it returns (SPEC G-U). */
  trusted?: boolean
  /** Reads the subject of a write before and after the call, for the preview and the check. */
  look?: {
    read: (args: z.output<P>, context: ToolContext) => Promise<string | null | TargetState>
    /** `now`: what `read` returned; undefined = it could not be read. */
    becomes?: (args: z.output<P>, now: string | null | undefined) => string | null
    /** Reads back what a call wrote where only its result (as text) says which that is. */
    readBack?: (args: z.output<P>, result: string, context: ToolContext) => Promise<string | null>
    /** `read` returns what the call does, word for word: a command line, a message. */
    isAct?: true
  }
}

/** A tool that is ours to run: what is known about it, how its arguments are parsed, and how it runs. */
export type ToolDefinition = ToolMeta & {
  schema: z.ZodType
  /** Its result has no parts that could be missing. */
  isPlain?: true
  execute: (args: unknown, context: ToolContext) => Promise<ToolResult>
  look?: Pick<TargetReader, 'becomes' | 'isAct'> & {
    read: (args: unknown, context: ToolContext) => Promise<string | null | TargetState>
    readBack?: (args: unknown, result: string, context: ToolContext) => Promise<string | null>
  }
  /** State of a server's tool when it was read. The gates read it again. */
  remote?: RemoteState
  /** When a person accepted a server's tool last, ms since 1970. */
  acceptedAt?: number
}

/** Strictest values, for an extra tool that declares no effect, data class or timeout (SPEC T2, R8): 30 s. */
export const toolDefaults = {
  effect: 'write',
  dataClass: 'secret-adjacent',
  timeoutMs: 30_000,
} as const satisfies Pick<ToolMeta, 'effect' | 'dataClass' | 'timeoutMs'>

/** Function names that every API type accepts; two underscores are kept for remote tools, `{server}__{tool}`. */
export const toolName = /^(?=.{1,64}$)[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** Checks and completes a tool's declaration (SPEC T1). Arguments the schema does not name are refused. */
export function defineTool<P extends z.ZodObject>(definition: Definition<P>): ToolDefinition {
  if (!toolName.test(definition.name)) {
    throw new Error(
      `"${definition.name}" is not a tool name: use lower-case words joined by single underscores.`,
    )
  }
  const { look } = definition
  const readBack = look?.readBack
  const schema = definition.parameters.strict()
  // `$schema` tells a model nothing, costs tokens in every request, and some endpoints refuse it.
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
  })
  return {
    name: definition.name,
    description: definition.description,
    group: definition.group,
    enabledByDefault: definition.enabledByDefault,
    requiresAdmin: definition.requiresAdmin,
    effect: definition.effect,
    dataClass: definition.dataClass,
    timeoutMs: definition.timeoutMs,
    limits: definition.limits,
    example: definition.example,
    ...(definition.isPlain && { isPlain: true }),
    ...(definition.needs && { needs: definition.needs }),
    ...(definition.trusted && { trusted: true }),
    ...(definition.startsRuns && { startsRuns: true }),
    parameters,
    schema,
    ...(look && {
      look: {
        read: (args, context) => look.read(args as z.output<P>, context),
        becomes: (args, now) => look.becomes?.(args as z.output<P>, now) ?? null,
        ...(readBack && {
          readBack: (args, result, context) => readBack(args as z.output<P>, result, context),
        }),
        ...(look.isAct && { isAct: true }),
      },
    }),
    // Arguments were parsed with this very schema by `bindTool`, the only caller.
    execute: (args, context) => definition.execute(args as z.output<P>, context),
  }
}
