import type { ModelRequest } from '@/lib/protocol/message'
import { HttpFailure } from './provider-error'
import type { Wire } from './stream-turn'

const usualStatuses = [400, 422]

/**
 * How a wire tells servers apart: `plainer` gives the dialect without what a refusal names (null = the refusal is final),
 * `notes` what a request loses by its dialect, sentences for people.
 */
type Dialects<D> = {
  /** The HTTP statuses with which the wire refuses a field; left out = 400 and 422. */
  statuses?: readonly number[]
  plainer: (refusal: HttpFailure, dialect: D, request: ModelRequest) => D | null
  notes: (dialect: D, request: ModelRequest) => string[]
}

type Send<D> = (request: ModelRequest, dialect: D, signal: AbortSignal) => Promise<Response>

/** What a request loses whose model refused strict tools. */
export const withoutStrictTools =
  'The provider refused a strict schema of a tool, so the tools were sent without one. Arguments are checked before a tool runs, as always.'

/** The oldest is forgotten for what is new: a server that refuses anew teaches it again. */
const mostLearned = 500

/**
 * Keeps what models turned out to accept, by `place` and model; forgotten with the process. A request that is refused for
 * an optional field by name is made again at once without it, before anything was shown. Each step of `plainer` takes
 * something away, so there are only few.
 */
export function createPlainerSend<D>({ plainer, notes, statuses = usualStatuses }: Dialects<D>) {
  const learned = new Map<string, D>()
  return (place: string, initial: D, send: Send<D>): Wire['send'] =>
    async (request, signal, report) => {
      const key = `${place} ${request.modelId}`
      let dialect = learned.get(key) ?? initial
      for (;;) {
        try {
          const response = await send(request, dialect, signal)
          for (const sentence of notes(dialect, request)) report.note(sentence)
          return response
        } catch (error) {
          const isRefusal = error instanceof HttpFailure && statuses.includes(error.status)
          const next = isRefusal ? plainer(error, dialect, request) : null
          if (!next) throw error
          dialect = next
          keep(learned, key, dialect)
          if (!(await report.mayResend())) throw error
        }
      }
    }
}

function keep<D>(learned: Map<string, D>, key: string, dialect: D): void {
  learned.delete(key)
  learned.set(key, dialect)
  const [oldest] = learned.keys()
  if (learned.size > mostLearned && oldest !== undefined) learned.delete(oldest)
}
