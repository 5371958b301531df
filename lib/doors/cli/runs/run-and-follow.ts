import { basename } from 'node:path'
import { actingCtx } from '@/lib/doors/cli/acting-ctx'
import type { CommonOptions } from '@/lib/doors/cli/input/common-options'
import { readFileOrInput } from '@/lib/doors/cli/input/read-input'
import { printJson } from '@/lib/doors/cli/print'
import { terminal } from '@/lib/doors/cli/terminal'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { type FileDataClass, maxFileBytes } from '@/lib/protocol/files/given-files'
import { type JsonObject, OutputSchema } from '@/lib/protocol/parameters/parameter-values'
import { dryRun } from '@/lib/runs/dry-run/dry-run'
import { runningEngine } from '@/lib/runs/engine/engine'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { readRunRecord } from '@/lib/runs/read-run'
import type { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start/start-run'
import { visibleText } from '@/lib/words/clean-text'
import { followRun } from './follow-run'
import { dryRunExitCode, printDryRun } from './print-dry-run'
import type { RunCapOption } from './run-options'
import { createTracePrinter } from './trace-printer'

/**
 * `tools`: undefined or true = all that are allowed, false = none. `file`: paths of what goes with the prompt; without
 * `dataClass` it has the highest class that the configuration allows.
 */
export type RunOptions = CommonOptions & {
  file?: string[]
  dataClass?: FileDataClass
  tools?: string[] | boolean
  maxRounds?: number
  costCap?: RunCapOption
  outputSchema?: string
}

/** Input of a run; options that are given replace its files, tools and limits. */
type Asked = Omit<StartRunInput, 'idempotencyKey'>

/**
 * Starts a run and follows it to its end; gives the exit code that tells the reason. The engine of this process works on
 * it, which is a server's if there is one.
 */
export async function runAndFollow(input: Asked, options: RunOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const { exitCode } = await withEngine(() => startAndFollow(ctx, input, options))
  return exitCode
}

/** Starts a run with the engine of this process and follows it to its end. */
export async function startAndFollow(
  ctx: Ctx,
  input: Asked,
  options: RunOptions,
): Promise<{ runId: string; exitCode: number }> {
  const asked = await withOptions(ctx, input, options)
  const { runId } = await startRun(ctx, { ...asked, idempotencyKey: null })
  return { runId, exitCode: await followToEnd(ctx, runId, options) }
}

/** Prints the first request of a run as it would be sent; gives the exit code that the run would have if it were refused. */
export async function runDry(input: Asked, options: RunOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const answer = await dryRun(ctx, await withOptions(ctx, input, options))
  if (options.json) printJson(answer)
  else printDryRun(answer)
  return dryRunExitCode(answer)
}

/** Returns the input with what the options replace of it, and uploads their files. */
async function withOptions(ctx: Ctx, input: Asked, options: RunOptions): Promise<Asked> {
  const schema = await outputSchemaOf(options.outputSchema)
  const files = await uploadAll(ctx, options)
  return {
    ...input,
    files: files.length > 0 ? files : input.files,
    tools: pickedTools(options.tools) ?? input.tools,
    maxRounds: options.maxRounds ?? input.maxRounds,
    costCap: options.costCap ?? input.costCap,
    outputSchema: schema ?? input.outputSchema,
  }
}

/** Returns the configuration of a run. Throws NotFoundError when it was deleted, or there is no such run. */
export async function configurationOfRun(ctx: Ctx, runId: string | null): Promise<string> {
  const { configurationId } = await readRunRecord(ctx, runId ?? '')
  if (configurationId === null) throw new NotFoundError('The configuration of this run')
  return configurationId
}

/** Follows a run to its end, as lines for a person or as JSON; gives the exit code that tells the reason. */
export function followToEnd(ctx: Ctx, runId: string, { json }: CommonOptions): Promise<number> {
  return followRun(ctx, runId, json ? printJson : createTracePrinter())
}

/** Does the work with an engine in this process, which works on the runs that it starts: a server's if there is one. */
export async function withEngine<T>(work: () => Promise<T>): Promise<T> {
  const own = runningEngine() ? null : await startEngine('cli')
  try {
    return await work()
  } finally {
    await own?.close()
  }
}

/** Uploads the files one after the other. Each is read as a whole; none is larger than 20 MiB. */
export async function uploadAll(
  ctx: Ctx,
  { file: paths = [], dataClass }: RunOptions,
): Promise<{ id: string }[]> {
  const files: { id: string }[] = []
  for (const path of paths) {
    const content = await readFileOrInput(path, maxFileBytes)
    const { id, hidden } = await uploadFile(ctx, {
      name: basename(path),
      pieces: [new Uint8Array(content)],
      dataClass: dataClass ?? null,
    })
    if (hidden !== null) terminal().writeError(`${basename(path)}: ${visibleText(hidden)}\n`)
    files.push({ id })
  }
  return files
}

const maxSchemaBytes = 1024 * 1024

/** Parses JSON Schema text, or reads it from a file. */
async function outputSchemaOf(text: string | undefined): Promise<JsonObject | null> {
  if (text === undefined) return null
  const json = text.trimStart().startsWith('{')
    ? text
    : (await readFileOrInput(text, maxSchemaBytes)).toString('utf8')
  const checked = OutputSchema.safeParse(parsed(json))
  if (checked.success) return checked.data
  const problem = checked.error.issues.map(({ message }) => message).join(' ')
  throw new ValidationError({ '--output-schema': problem })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new ValidationError({ '--output-schema': 'This is not valid JSON.' })
  }
}

function pickedTools(tools: RunOptions['tools']): string[] | null {
  if (Array.isArray(tools)) return tools
  return tools === false ? [] : null
}
