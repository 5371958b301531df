import { approvalNote } from '@/lib/protocol/approval-note'
import type { RunState } from '@/lib/protocol/fold-run'
import type { Message } from '@/lib/protocol/message'
import { type Fence, modelText, noteForModel, roundNote } from '@/lib/protocol/model-text'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { skillText } from '@/lib/protocol/skill-text'
import { startOf } from './run-step'

type Start = RunEventOf<'run-start'>['data']

/**
 * The same round or prompt gives the same Message objects in every request of a run: adapters and token counts
 * remember by identity, so that a round costs what is new in it and not the whole conversation again.
 */
const messagesOfRound = new WeakMap<RoundView, Message[]>()
const promptOf = new WeakMap<Start, { whole: Message; pruned: Message }>()

/** The conversation as the model is to see it: skills and prompt, then every answered round after `prunedThrough`. */
export function messagesOf(state: RunState, prunedThrough = state.prunedThrough): Message[] {
  const start = startOf(state)
  const messages = [promptMessage(start, prunedThrough > 0)]
  for (const round of state.rounds) {
    if (round.response && round.round > prunedThrough) {
      messages.push(...roundMessages(round, start))
    }
  }
  return messages
}

export function promptMessage(start: Start, pruned: boolean): Message {
  let prompt = promptOf.get(start)
  if (!prompt) {
    const text = skillText(start.snapshot.skills, start) + start.prompt
    prompt = {
      whole: { role: 'user', text },
      pruned: { role: 'user', text: text + noteForModel(prunedNote) },
    }
    promptOf.set(start, prompt)
  }
  return pruned ? prompt.pruned : prompt.whole
}

const prunedNote = 'Earlier rounds of this conversation were left out because they no longer fit.'

/** The response of a finished round and the results of its calls, in call order (SPEC R6, R12). */
export function roundMessages(round: RoundView, fence: Fence): Message[] {
  let messages = messagesOfRound.get(round)
  if (!messages) {
    const { text, reasoning } = round
    const toolCalls = round.calls.map(({ callId, providerCallId, name, argumentsText }) => ({
      callId,
      providerCallId,
      name,
      argumentsText,
    }))
    messages = [{ role: 'assistant', text, reasoning, toolCalls }, ...resultMessages(round, fence)]
    messagesOfRound.set(round, messages)
  }
  return messages
}

function resultMessages(round: RoundView, fence: Fence): Message[] {
  return round.calls.map((call, index) => {
    const { content, isError } = resultText(call, fence)
    const isLast = index === round.calls.length - 1
    const notes = approvalNote(call) + (isLast ? roundNote(round) : '')
    return {
      role: 'tool',
      providerCallId: call.providerCallId,
      name: call.name,
      content: content + notes,
      isError,
    }
  })
}

function resultText(call: CallView, fence: Fence): { content: string; isError: boolean } {
  if (call.state.type !== 'ended') return { content: 'This call has no result.', isError: true }
  return modelText(call.name, call.state.outcome, fence)
}
