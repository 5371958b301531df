import { checkLimits } from '@/lib/domains/checks/schemas'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { redactText } from '@/lib/kernel/redaction/redact-text'
import type { CheckRecording } from '@/lib/protocol/check/check'
import type { Artifact } from '@/lib/protocol/files/artifact'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { hasResult, ranWith } from '@/lib/protocol/run/recordings'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { Outcome } from '@/lib/protocol/tool'
import type { RunRecord } from '@/lib/runs/read-run'
import { maxPromptCharacters } from '@/lib/shape/field-shape'
import { countOf } from '@/lib/words/format'

/** Parts of a run that a check keeps. `leftOut`: sentences about what could not be copied. */
export type CopiedRun = {
  state: RunState
  start: NonNullable<RunState['start']>
  prompt: string
  recordings: CheckRecording[]
  leftOut: string[]
}

type Original = Pick<RunRecord, 'status' | 'source'> & { events: readonly RunEvent[] }

/**
 * Returns a copy of a run without secrets. Throws ConflictError for a run that cannot be run again by itself, and ValidationError for one
 * that is too long.
 */
export function copyRun(original: Original): CopiedRun {
  const state = foldRun(original.events)
  const { start } = state
  const obstacle = checkObstacle(original, start)
  if (!start || obstacle !== null) throw new ConflictError(obstacle ?? noBeginning)
  const copied = state.rounds.flatMap(({ calls }) => calls.flatMap(copyCall))
  const recordings = copied.flatMap(({ recording }) => recording ?? [])
  if (JSON.stringify(recordings).length > checkLimits.characters)
    throw new ValidationError({ runId: 'The results of the run are too long to be copied.' })
  const prompt = redactText(start.prompt, { hashes: true })
  if (prompt.length > maxPromptCharacters)
    throw new ValidationError({ runId: 'The prompt is too long without its secrets.' })
  const leftOut = [
    ...(prompt === start.prompt ? [] : ['Secrets in the prompt were removed.']),
    ...sentences(copied),
  ]
  return { state, start, prompt, recordings, leftOut }
}

const noBeginning = 'The journal of the run has no beginning.'

/** Returns why a run cannot be saved as a check, as a sentence; null = it can. */
export function checkObstacle(
  { status, source }: Pick<RunRecord, 'status' | 'source'>,
  start: RunState['start'],
): string | null {
  if (!start) return noBeginning
  if (status !== 'ended')
    return 'The run has not ended. Wait for its end, or stop it, and try again.'
  if (source === 'try' || start.snapshot.configurationId === null)
    return 'The run tries a tool or a model, which cannot be a check.'
  if (start.panelId) return 'The run belongs to a panel. Save a run of a single model.'
  if (start.judges) return 'It judged a run of a check. Save that run instead.'
  if (start.parent) return 'Another run started it. Save that run instead.'
  if (start.continues)
    return 'It continues a conversation, whose earlier turns a check does not have. Save the first run of the conversation.'
  return null
}

type Loss = 'withheld' | 'secret-argument' | 'secret-result'
type CopiedCall = { tool: string; recording: CheckRecording | null; losses: Loss[] }

/** Returns a call that has a result, with what it loses as a copy. */
function copyCall(call: CallView): CopiedCall[] {
  const { name, state } = call
  if (state.type !== 'ended' || !hasResult(call)) return []
  if (isWithheld(state.outcome)) return [{ tool: name, recording: null, losses: ['withheld'] }]
  const given = ranWith(call)
  const argumentsText = redactText(given, { hashes: true })
  const outcome = withoutSecrets(state.outcome)
  const isSame = JSON.stringify(outcome) === JSON.stringify(state.outcome)
  const losses: Loss[] = [
    ...(argumentsText === given ? [] : ['secret-argument' as const]),
    ...(isSame ? [] : ['secret-result' as const]),
  ]
  return [{ tool: name, recording: { name, argumentsText, outcome }, losses }]
}

function isWithheld(outcome: Outcome): boolean {
  return outcome.type === 'ok' && (outcome.leftOut ?? []).some((part) => part.isWithheld)
}

function withoutSecrets(outcome: Outcome): Outcome {
  switch (outcome.type) {
    case 'ok':
      return {
        ...outcome,
        content: cleaned(outcome.content),
        artifacts: outcome.artifacts.map(withoutArtifactSecrets),
      }
    case 'failed':
      return { ...outcome, message: cleaned(outcome.message) }
    default:
      return outcome
  }
}

function cleaned(text: string): string {
  return redactText(text, { hashes: true })
}

function withoutArtifactSecrets(artifact: Artifact): Artifact {
  const title = cleaned(artifact.title)
  switch (artifact.type) {
    case 'text':
      return { ...artifact, title, text: cleaned(artifact.text) }
    case 'table':
      return {
        ...artifact,
        title,
        columns: artifact.columns.map(cleaned),
        rows: artifact.rows.map((row) => row.map(cleaned)),
      }
    case 'image':
      return { ...artifact, title }
    default:
      return artifact satisfies never
  }
}

function sentences(copied: readonly CopiedCall[]): string[] {
  const tools = [...new Set(copied.map(({ tool }) => tool))]
  return tools.flatMap((tool) => {
    const count = (loss: Loss) =>
      copied.filter((each) => each.tool === tool && each.losses.includes(loss)).length
    const [withheld, given, result] = [
      count('withheld'),
      count('secret-argument'),
      count('secret-result'),
    ]
    return [
      ...(withheld > 0
        ? [
            `${countOf(withheld, 'result')} of ${tool} had been withheld, so these calls have no recording.`,
          ]
        : []),
      ...(given > 0
        ? [
            `Secrets in the arguments of ${countOf(given, 'call')} of ${tool} were removed, so calls that have them get no recording.`,
          ]
        : []),
      ...(result > 0 ? [`Secrets in ${countOf(result, 'result')} of ${tool} were removed.`] : []),
    ]
  })
}
