import 'server-only'
import { connectionFacts } from '@/lib/domains/connections/open-connection'
import { describeRequest } from '@/lib/engines/providers/request/describe-request'
import { planRequest } from '@/lib/engines/runtime/ask/plan-request'
import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import { withinReservation } from '@/lib/engines/runtime/spend/reserve-call'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import type { Attachment, Message, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import {
  addressPlace,
  curlOf,
  indentedJson,
  keyPlace,
  type SentHttp,
  type SentRequest,
} from '@/lib/protocol/model/sent-request'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { formatBytes } from '@/lib/words/format'
import { openTurnMemory, readTurns } from './conversations/earlier-turns'
import { requireRun } from './require-run'
import { toRunEvent } from './run-record'
import { loadAttachments } from './work/load-attachments'

/**
 * Returns the request of a round as it was sent last, put together from the journal by the code that sends requests. No
 * secret is opened for it. Members do not see the address. Throws NotFoundError for a round that was not asked.
 */
export async function readSentRequest(
  ctx: Ctx,
  runId: string,
  round: number,
): Promise<SentRequest> {
  await requireRun(ctx, runId)
  const { events, nativeAnswers } = await db().run.findUniqueOrThrow({
    where: { id: runId },
    include: { events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  const natives = new Map(nativeAnswers.map((answer) => [answer.round, answer.content]))
  const read = events.map(toRunEvent)
  const [first] = read
  const continues = first?.type === 'run-start' ? first.data.continues : undefined
  const earlier = await readTurns(db(), openTurnMemory(), continues)
  const planned = await plannedRequest({ events: read, natives, earlier }, round)
  return describeSent(ctx, planned)
}

type Sendable = { target: ModelTarget; request: ModelRequest; notes: string[] }

/** Returns a request of the loop as it goes to the provider. Members do not see the address. */
export async function describeSent(
  ctx: Ctx,
  { target, request, notes }: Sendable,
): Promise<SentRequest> {
  const whole = await withFiles(request, notes)
  const sent = await asSent(target, whole, notes)
  if (!sent) return { json: indentedJson(JSON.stringify(whole)), curl: null, notes }
  const http = ctx.actor.role === 'admin' ? sent : withoutAddress(sent)
  return { json: indentedJson(http.body), curl: curlOf(http), notes }
}

const rebuilt =
  'Put together again from the journal by the version of Toolgate that runs now, with the descriptions and parameters that tools have now. What changed since the run may differ from what was sent.'

/** Plans the request as the loop did before the round began. */
async function plannedRequest(
  {
    events,
    natives,
    earlier,
  }: {
    events: readonly RunEvent[]
    natives: ReadonlyMap<number, string>
    earlier: readonly EarlierTurn[]
  },
  round: number,
): Promise<Sendable> {
  const start = events.findLast(
    (event) => event.type === 'round-start' && event.data.round === round,
  )
  if (start?.type !== 'round-start') throw new NotFoundError('This round')
  const state = foldRun(events.filter(({ seq }) => seq < start.seq))
  const { target: index, offered, reservationId = null, worst = null } = start.data
  const target = state.start?.snapshot.targets[index]
  if (!target) throw new NotFoundError('The model of this round')
  const all = await loadToolset(db())
  const tools = offered.flatMap((name) => all.get(name) ?? [])
  const gone = offered.filter((name) => !all.has(name))
  const journal = { nativeOf: (of: number) => natives.get(of) ?? null }
  const step = { state: () => state, deps: { tools: all, journal, earlier } }
  const { request } = planRequest(step, { target, index }, { tools, round })
  const notes = [rebuilt]
  if (gone.length > 0)
    notes.push(`These tools were offered and are not installed any more: ${gone.join(', ')}.`)
  return { target, request: withinReservation(request, target, { reservationId, worst }), notes }
}

/** Adds the content of text files. Replaces the bytes of other files by their name and size, and notes that once. */
async function withFiles(request: ModelRequest, notes: string[]): Promise<ModelRequest> {
  const loaded = await loadAttachments(db(), request)
  if (loaded === request) return request
  let isLeftOut = false
  const withoutBytes = (file: Attachment): Attachment => {
    if (!file.content || 'text' in file.content) return file
    isLeftOut = true
    return { ...file, content: { bytes: Buffer.from(`${file.name}, ${formatBytes(file.bytes)}`) } }
  }
  const messages = loaded.messages.map((message): Message => {
    if (message.role === 'assistant' || !message.attachments) return message
    return { ...message, attachments: message.attachments.map(withoutBytes) }
  })
  if (isLeftOut) notes.push('In the place of the bytes of images and documents stands their name.')
  return { ...loaded, messages }
}

/** Returns the request over HTTP; null = none was sent, or the connection is gone and its address with it. */
async function asSent(
  target: ModelTarget,
  request: ModelRequest,
  notes: string[],
): Promise<SentHttp | null> {
  if (target.wire === 'demo') {
    notes.push('The demo is a script in Toolgate. Nothing is sent over HTTP.')
    return null
  }
  const row = await db().connection.findUnique({ where: { id: target.connectionId } })
  const facts = row && connectionFacts(row)
  if (!row || !facts || facts.wire !== target.wire) {
    notes.push(
      'The connection was deleted or has another API type now: this is the request before it was written for that API.',
    )
    return null
  }
  const { baseUrl, settings, organisation } = facts
  const apiKey = row.secretId !== null || row.pooled ? keyPlace : null
  const sent = await describeRequest(
    target.wire,
    { baseUrl, settings, organisation, apiKey },
    request,
  )
  if (row.headersSecretId !== null)
    notes.push('The further headers of the connection are left out.')
  if (target.wire === 'bedrock') notes.push('The signature of requests to Amazon is left out.')
  return sent
}

function withoutAddress(sent: SentHttp): SentHttp {
  return { ...sent, url: `${addressPlace}${sent.url.slice(new URL(sent.url).origin.length)}` }
}
