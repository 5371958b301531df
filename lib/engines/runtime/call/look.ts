import { createHash } from 'node:crypto'
import { JournalLostError, reportIncident } from '@/lib/engines/runtime/deps'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { RunStep } from '@/lib/engines/runtime/run-step'
import {
  isSameSeen,
  type Preview,
  type Seen,
  type SeenText,
  type WriteCheck,
} from '@/lib/protocol/look'
import type { CallView } from '@/lib/protocol/run/round-view'
import {
  type Actor,
  type ExecutableTool,
  maxSavedBytes,
  type Outcome,
  ToolError,
} from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { redactCanary, spellingsOf } from './canary'
import { parseArguments } from './execute-tool'
import { callContext, runWithin, type WorkStop } from './run-within'
import { cutText } from './tool-result'

/** A server that said that its tools changed is asked for them before its next call, up to ten seconds later. */
const longestLookMs = 20_000
const shownBytes = 64 * 1024

/**
 * Subject of a look. `stops`: signal that ends it, beside the stop of the run. `from`: the target before the call, when
 * a dead process began it. `result`: the result of the call, when the target is read back.
 */
type Looking = {
  tool: ExecutableTool
  call: Pick<CallView, 'callId' | 'argumentsText'>
  actor: Actor
  stops?: readonly AbortSignal[]
  from?: Seen | undefined
  result?: string
}

/**
 * Returns what is there before a call and what it would write (SPEC G-W); null when the tool cannot look, or would refuse the
 * arguments. What fails is said in words. Throws nothing but `JournalLostError`.
 */
export async function previewOf(step: RunStep, looking: Looking): Promise<Preview | null> {
  const { tool, call, from } = looking
  if (!tool.look) return null
  try {
    const parsed = parseArguments(tool, call.argumentsText)
    if (!parsed.ok) return null
    const { seen, text, becomes } = await readNow(step, looking, parsed.args)
    // A call that began has already changed the target, so a new preview would not show the intended change.
    const isOther = from !== undefined && !isSameSeen(from, seen)
    const known = isOther ? undefined : text
    const said = isOther ? null : becomes
    const wanted = said ?? tool.look.becomes?.(parsed.args, known) ?? null
    const wantedText = wanted === null ? null : seenText(step, wanted)
    return { before: seen, becomes: wantedText, ...(tool.look.isAct && { isAct: true }) }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    return { before: unread(incidentWords(step, error)), becomes: null }
  }
}

/**
 * A reading, as it is stored and as it is; `text` undefined: it could not be read. `becomes`: the expected text, stated
 * by the target itself.
 */
type Read = { seen: Seen; text?: string | null; becomes?: string | null }

/** Reads what is there after a call; null = its tool refuses the arguments. */
export async function readAfter(
  step: RunStep,
  looking: Looking,
  outcome: Outcome,
): Promise<Seen | null> {
  if (!looking.tool.look?.readBack) return (await previewOf(step, looking))?.before ?? null
  if (outcome.type !== 'ok') return unread('The call did not say what it wrote.')
  return (await previewOf(step, { ...looking, result: outcome.content }))?.before ?? null
}

async function readNow(
  step: RunStep,
  { tool, call, actor, stops = [], result }: Looking,
  args: unknown,
): Promise<Read> {
  const { deps } = step
  const { callId } = call
  try {
    const ended = await runWithin(
      async (signalOf) => {
        const context = callContext(signalOf, { step, actor, callId })
        if (result === undefined) return tool.look?.read(args, context)
        return tool.look?.readBack?.(args, result, context)
      },
      {
        timeoutMs: Math.min(tool.timeoutMs, longestLookMs),
        stops: [step.signal, ...stops],
        after: deps.after,
        ignores: () => false,
      },
    )
    if (ended.type !== 'done') return { seen: unread(stopWords(ended)) }
    const found = ended.value ?? null
    if (typeof found !== 'object' || found === null) {
      return { seen: seenNow(step, found), text: found }
    }
    return { seen: seenNow(step, found.now), text: found.now, becomes: found.becomes }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    if (error instanceof ToolError) return { seen: unread(cutText(cleanText(error.message), 1024)) }
    return { seen: unread(incidentWords(step, error)) }
  }
}

function seenNow(step: RunStep, text: string | null): Seen {
  if (text === null) return { type: 'nothing' }
  const seen = seenText(step, text)
  return seen.bytes > maxSavedBytes ? unread(tooLarge) : { type: 'text', ...seen }
}

const tooLarge = 'What is there is larger than 5 MiB, so it is not shown or compared.'

/** Returns a text as it is kept. The hash is of the whole as it was, and what people see is cleaned like a result. */
function seenText(step: RunStep, text: string): SeenText {
  const whole = Buffer.from(text)
  const shown = cutText(cleanText(text), shownBytes)
  return {
    text: redactCanary(shown, spellingsOf(step)),
    sha256: createHash('sha256').update(whole).digest('hex'),
    bytes: whole.length,
  }
}

function unread(problem: string): Seen {
  return { type: 'unread', problem }
}

function stopWords(stop: WorkStop): string {
  return stop.type === 'timed-out'
    ? 'It could not be read in time.'
    : 'It was not read, because the call was stopped.'
}

function incidentWords(step: RunStep, error: unknown): string {
  return `Reading it failed (incident ${reportIncident(step.deps, error)}).`
}

/**
 * Returns how an approved call ends that must not start: what is there is not what the approver saw (SPEC G-W). Null when it is,
 * when the approver was told that it could not be read, or when a call that a dead process began finds what it was to write:
 * then it may be repeated.
 */
export function changeSince(call: CallView, now: Preview): LookedEnd | null {
  const before = call.approval?.preview?.before
  const { becomes: approved, before: after } = now
  if (!before || before.type === 'unread' || isSameSeen(before, after)) return null
  if (call.state.type === 'running') {
    if (approved && isSameSeen({ type: 'text', ...approved }, after)) return null
    const check = { before, approved, after }
    return { outcome: { type: 'unknown', reason: crashWords(check) }, check }
  }
  const message =
    after.type === 'unread'
      ? `A person approved this call for what was there, and that could not be read again. ${after.problem} Nothing was changed.`
      : 'What is there changed after a person looked at it and approved this call. Nothing was changed. Read it again, then ask again.'
  return { outcome: { type: 'failed', code: 'changed-meanwhile', message, incidentId: null } }
}

/** Outcome of a call derived from its target, without running it (again). */
type LookedEnd = { outcome: Outcome; check?: WriteCheck }

/** Returns why nobody knows whether a call took effect whose process died, with what is there now where that was read. */
export function crashWords(check: WriteCheck | null): string {
  const found = check && foundAfterCrash(check)
  const words =
    'The server stopped while this call ran. It may have taken effect and is not repeated.'
  return found ? `${words} What is there now is ${found}.` : words
}

function foundAfterCrash({ before, approved, after }: WriteCheck): string | null {
  if (after.type === 'unread') return null
  if (approved && isSameSeen({ type: 'text', ...approved }, after)) {
    return 'what the call was to write'
  }
  if (isSameSeen(before, after)) return 'what was there before'
  return approved && before.type !== 'unread'
    ? 'neither what was there before nor what the call was to write'
    : null
}

/** Returns what was there before the first attempt of a call that a dead process began; absent = it was not begun, or not looked at. */
export function startedFrom({ approval, state }: CallView): Seen | undefined {
  return state.type === 'running' ? (state.before ?? approval?.preview?.before) : undefined
}

/** Returns how a call ended that was to write a known text: failed, when another one was read back (SPEC G-W). */
export function checkedOutcome(outcome: Outcome, { approved, after }: WriteCheck): Outcome {
  if (outcome.type !== 'ok' || approved === null || after.type === 'unread') return outcome
  if (isSameSeen({ type: 'text', ...approved }, after)) return outcome
  const message =
    'The tool says that it did this, but what was read back is not what the call was to write. Read it before you go on.'
  return { type: 'failed', code: 'not-as-approved', message, incidentId: null }
}

/** Reads what is there after a process died during a write, beside what was there before (SPEC J4, G-W); null = it cannot look. */
export async function checkAfterCrash(step: RunStep, call: CallView): Promise<WriteCheck | null> {
  const tool = step.deps.tools.get(call.name)
  if (!tool?.look || tool.look.isAct || call.state.type !== 'running') return null
  const before = startedFrom(call) ?? unread('It was not kept.')
  if (tool.look.readBack) {
    const after = unread('The call did not say what it wrote.')
    return { before, approved: approvedText(call), after }
  }
  try {
    const subject = await step.deps.loadSubject()
    if (!subject.actor || !decideTool(tool, subject).allowed) {
      return { before, approved: null, after: unread('The tool may not be used now.') }
    }
    const preview = await previewOf(step, { tool, call, actor: subject.actor, from: before })
    const { becomes, before: after } = preview ?? nothingKnown
    return { before, approved: becomes ?? approvedText(call), after }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    return { before, approved: null, after: unread(incidentWords(step, error)) }
  }
}

/** Returns the text that a person approved, with the arguments that were asked for; null = nobody did, or it was not known. */
function approvedText({ approval }: CallView): SeenText | null {
  return approval?.decision?.type === 'edited' ? null : (approval?.preview?.becomes ?? null)
}

const nothingKnown: Preview = { before: unread('Its arguments are not valid.'), becomes: null }
