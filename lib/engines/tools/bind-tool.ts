import type { z } from 'zod'
import type { CallContext, ExecutableTool, TargetReader } from '@/lib/protocol/tool'
import type { ToolContext, ToolDefinition } from './define-tool'
import type { ToolResources } from './tool-resources'

/** Owner of a call and its run. They decide which resources of this installation the call may touch. */
export type ResourceCaller = Pick<CallContext, 'actor' | 'runId' | 'configurationId'>

/**
 * Ties a tool to what the person it runs for may touch of this installation, asked at each call: rights may have
 * changed since the run began (SPEC A2a). `parse` accepts strict JSON values only and answers with sentences the model
 * can act on (SPEC R11); `execute` expects what `parse` returned.
 */
export function bindTool(
  definition: ToolDefinition,
  resourcesFor: (caller: ResourceCaller) => ToolResources,
): ExecutableTool {
  const { schema, execute, look, isPlain: _, ...meta } = definition
  const withResources = (context: CallContext) => ({
    get signal() {
      return context.signal
    },
    actor: context.actor,
    runId: context.runId,
    configurationId: context.configurationId,
    callId: context.callId,
    tell: context.tell,
    started: context.started,
    resources: resourcesFor(context),
  })
  return {
    ...meta,
    ...(look && { look: boundLook(look, withResources) }),
    parse: (args) => {
      const result = schema.safeParse(args)
      if (result.success) return { ok: true, args: result.data }
      return { ok: false, issues: argumentIssues(result.error.issues, meta.parameters) }
    },
    execute: (args, context) => execute(args, withResources(context)),
  }
}

function boundLook(
  { read, readBack, ...rest }: NonNullable<ToolDefinition['look']>,
  withResources: (context: CallContext) => ToolContext,
): TargetReader {
  return {
    ...rest,
    read: (args, context) => read(args, withResources(context)),
    ...(readBack && {
      readBack: (args, result, context) => readBack(args, result, withResources(context)),
    }),
  }
}

const MAX_ISSUES = 10
const MAX_NAME = 60

/**
 * Returns what is wrong with a call's arguments, as sentences with paths. Never repeats a value that was sent, which
 * may be a secret, or text that steers its reader. Names that were sent are shortened and made printable.
 */
function argumentIssues(
  issues: readonly z.core.$ZodIssue[],
  parameters: Record<string, unknown>,
): string[] {
  const sentences = issues.slice(0, MAX_ISSUES).map((issue) => describe(issue, parameters))
  if (issues.length <= MAX_ISSUES) return sentences
  return [...sentences, `There are ${issues.length - MAX_ISSUES} more problems.`]
}

function describe(issue: z.core.$ZodIssue, parameters: Record<string, unknown>): string {
  const where = pathText(issue.path)
  if (issue.code === 'unrecognized_keys') return unknownNames(issue.keys, where, parameters)
  if (where === '') return sentence(`The arguments are not valid: ${issue.message}`)
  return sentence(`${where}: ${issue.message}`)
}

function unknownNames(keys: string[], where: string, parameters: Record<string, unknown>): string {
  const names = keys.slice(0, MAX_ISSUES).map(printableName).join(', ')
  const verb = keys.length === 1 ? 'is not a parameter' : 'are not parameters'
  if (where !== '') return `${where}: ${names} ${verb} here.`
  return `${names} ${verb} of this tool${knownNames(parameters)}.`
}

function knownNames({ properties, $ref, allOf, anyOf, oneOf }: Record<string, unknown>): string {
  const known = Object.keys(Object(properties))
  if (known.length > 0) return `: it takes ${known.join(', ')}`
  // They may be named in other parts of the schema.
  return ($ref ?? allOf ?? anyOf ?? oneOf) === undefined ? ': it takes none' : ''
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? printableName(String(step)) : `${text}.${printableName(String(step))}`
  }, '')
}

function printableName(name: string): string {
  const printable = name.toWellFormed().replace(/[^\p{L}\p{N}_$.\- ]/gu, '?')
  return printable.length <= MAX_NAME ? printable : `${printable.slice(0, MAX_NAME)}…`
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
