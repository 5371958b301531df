import { openDeltaBatcher } from '@/lib/engines/runtime/delta-batcher'
import { JournalLostError, reportIncident } from '@/lib/engines/runtime/deps'
import { isHandover, type RunStep, type StepStop } from '@/lib/engines/runtime/run-step'
import { Artifact } from '@/lib/protocol/files/artifact'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import {
  type Actor,
  type ExecutableTool,
  type LeftOut,
  maxSavedBytes,
  type Outcome,
  ToolError,
  type ToolResult,
} from '@/lib/protocol/tool'
import { cleanText, nameLine } from '@/lib/words/clean-text'
import { changedNumber, mostLevels, nestedTooDeeply } from '@/lib/words/json-text'
import { callContext, runWithin, type WorkStop } from './run-within'
import { suspiciousPhrases } from './suspicious-phrases'
import { cutPart, cutText, keepImages, truncate } from './tool-result'

type Execution = { tool: ExecutableTool; call: CallView; actor: Actor; switchedOff: AbortSignal }

/**
 * Parses the arguments, executes the tool and returns its outcome, also for failures (SPEC R8, R11, T5, T8). Null when
 * the run was handed over: the call stays open for the next process. Throws nothing but `JournalLostError`.
 */
export async function executeTool(step: RunStep, execution: Execution): Promise<Outcome | null> {
  const { tool, call, actor, switchedOff } = execution
  const { deps } = step
  try {
    const parsed = parseArguments(tool, call.argumentsText)
    if (!parsed.ok) return { type: 'invalid-arguments', issues: parsed.issues }
    const { callId, round } = call
    const output = openOutput(step, round, callId)
    const ended = await runWithin(
      (signalOf) =>
        tool.execute(
          parsed.args,
          callContext(signalOf, {
            step,
            actor,
            callId,
            tell: output.tell,
            started: (runId) => noteStarted(step, { round, callId, runId }),
          }),
        ),
      {
        timeoutMs: tool.timeoutMs,
        stops: [step.signal, switchedOff],
        after: deps.after,
        // A write that was started is finished here: no other process may repeat it.
        ignores: (signal) =>
          tool.effect === 'write' && signal === step.signal && isHandover(signal),
      },
    )
    output.close()
    if (ended.type !== 'done') return stoppedOutcome(step, tool, ended)
    return await okOutcome(step, { tool, callId }, ended.value)
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    return failedOutcome(step, error)
  }
}

/** Notes which run a call started, before anybody waits for that run. */
async function noteStarted(step: RunStep, data: RunEventOf<'child-start'>['data']): Promise<void> {
  step.record({ type: 'child-start', data })
  await step.deps.journal.flush()
}

/** Shows what a call writes while it runs. Most calls write nothing, and nothing is opened for them. */
function openOutput(step: RunStep, round: number, callId: string) {
  let batcher: ReturnType<typeof openDeltaBatcher> | null = null
  const delta = { kind: 'output', callId } as const
  return {
    tell: (text: string): void => {
      batcher ??= openDeltaBatcher(step, round)
      batcher.push(delta, text)
    },
    close: (): void => batcher?.close(),
  }
}

function stoppedOutcome(step: RunStep, tool: ExecutableTool, ended: WorkStop): Outcome | null {
  if (ended.type === 'timed-out') return { type: 'timed-out', timeoutMs: tool.timeoutMs }
  if (ended.by !== step.signal) {
    const { reason } = ended.by
    return {
      type: 'cancelled',
      reason: typeof reason === 'string' ? reason : 'Switched off while it ran.',
    }
  }
  const stop: StepStop = step.signal.reason
  switch (stop.type) {
    case 'handover':
    case 'released':
      return null
    case 'time-limit':
      return { type: 'cancelled', reason: 'The run reached its time limit.' }
    case 'cancelled':
      return { type: 'cancelled', reason: `The run was stopped by ${stop.by}.` }
    case 'frozen':
      return { type: 'cancelled', reason: `This site was frozen by ${stop.by}.` }
    case 'revoked':
    case 'went-back':
      return { type: 'cancelled', reason: stop.reason }
    default:
      return stop satisfies never
  }
}

type Caller = { tool: ExecutableTool; callId: string }

async function okOutcome(step: RunStep, caller: Caller, result: ToolResult): Promise<Outcome> {
  const { callId } = caller
  const text = resultText(result)
  const { content, truncated, originalBytes } = truncate(
    typeof result.content === 'string' ? text : result.content,
    text,
  )
  const { lostImages = [], ...images } = result.images
    ? await keepImages(step, caller, result.images)
    : {}
  if (truncated) await saveResult(step, callId, cutText(text, maxSavedBytes))
  const missing = leftOutOf(result, [...(truncated ? [cutPart(originalBytes)] : []), ...lostImages])
  // Names of others may stand in what is left out, too.
  const said = [content, ...(missing.leftOut ?? []).flatMap(({ what, why }) => [what, why])]
  return {
    type: 'ok',
    content,
    truncated,
    originalBytes,
    artifacts: cleanArtifacts(result),
    ...images,
    ...missing,
    flags: suspiciousPhrases(said.join('\n')),
    ...(result.dataClass && { dataClass: result.dataClass }),
  }
}

const mostEntries = 20
const mostCharacters = 300

/** Returns what a result says is missing, and what was cut of it here: the latter comes first, because nothing limits the former. */
function leftOutOf({ leftOut }: ToolResult, ours: readonly LeftOut[]): { leftOut?: LeftOut[] } {
  if (leftOut === undefined && ours.length === 0) return {}
  const line = (text: string) => nameLine(text).slice(0, mostCharacters).toWellFormed()
  const all = [...ours, ...(leftOut ?? [])].map(({ what, why }) => ({
    what: line(what),
    why: line(why),
  }))
  const more = all.length - mostEntries
  return {
    leftOut:
      more > 0
        ? [
            ...all.slice(0, mostEntries),
            { what: `${more} further entries of this list`, why: `it has at most ${mostEntries}` },
          ]
        : all,
  }
}

/** Returns the whole result as text; JSON escapes what `cleanText` would remove. Throws when it is not JSON. */
function resultText({ content }: ToolResult): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if (typeof text !== 'string') throw new TypeError('The tool returned neither text nor JSON.')
  return cleanText(text)
}

/** Stores the whole result. A failure is only logged, because the outcome matters more than the trace. */
async function saveResult(step: RunStep, callId: string, text: string): Promise<void> {
  try {
    await step.deps.journal.saveResult(callId, text)
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    reportIncident(step.deps, error)
  }
}

function cleanArtifacts({ artifacts }: ToolResult): Artifact[] {
  if (!artifacts || artifacts.length === 0) return []
  return Artifact.array()
    .parse(artifacts)
    .map((artifact) => {
      const title = cleanText(artifact.title)
      switch (artifact.type) {
        case 'text':
          return { ...artifact, title, text: cleanText(artifact.text) }
        case 'table': {
          const rows = artifact.rows.map((row) => row.map(cleanText))
          return { ...artifact, title, columns: artifact.columns.map(cleanText), rows }
        }
        case 'image':
          return {
            ...artifact,
            title,
            mediaType: cleanText(artifact.mediaType),
            data: cleanText(artifact.data),
          }
        default:
          return artifact satisfies never
      }
    })
}

function failedOutcome(step: RunStep, error: unknown): Outcome {
  if (error instanceof ToolError) {
    const message = cutText(cleanText(error.message), 4096)
    return {
      type: 'failed',
      code: cleanText(error.code),
      message,
      incidentId: null,
      ...(error.isForeign && { flags: suspiciousPhrases(message) }),
    }
  }
  const incidentId = reportIncident(step.deps, error)
  return { type: 'failed', code: 'internal', message: 'The tool failed.', incidentId }
}

export type ParsedArguments = { ok: true; args: unknown } | { ok: false; issues: string[] }

/**
 * Parses arguments: strict JSON, an object, then the schema of the tool. Nothing is repaired (SPEC R11), and a number
 * that JavaScript would change is refused, because it may be an id. Throws when `tool.parse` does.
 */
export function parseArguments(tool: Pick<ExecutableTool, 'parse'>, text: string): ParsedArguments {
  if (nestedTooDeeply(text)) {
    const issue = `The arguments are nested too deeply: at most ${mostLevels} lists and objects may stand inside each other.`
    return { ok: false, issues: [issue] }
  }
  const json = parseJson(text)
  if (!json.ok)
    return {
      ok: false,
      issues: ['The arguments are not valid JSON. Send one complete JSON object.'],
    }
  const { value } = json
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, issues: ['The arguments must be one JSON object.'] }
  }
  const changed = changedNumber(text)
  if (changed !== null) {
    const issue = `The number ${changed.slice(0, 40)} has more digits than a tool can be given. Send it as text, if the tool takes text.`
    return { ok: false, issues: [issue] }
  }
  const parsed = tool.parse(value)
  if (parsed.ok) return parsed
  return {
    ok: false,
    issues: parsed.issues.slice(0, 20).map((issue) => cleanText(issue).slice(0, 500)),
  }
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
