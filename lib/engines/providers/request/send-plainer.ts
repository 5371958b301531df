import { httpMeaning } from '@/lib/engines/providers/failures/http-meaning'
import { HttpFailure } from '@/lib/engines/providers/failures/provider-error'
import type { Wire } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'

const usualStatuses = [400, 422]

/**
 * Adapts requests to one server: `plainer` returns the dialect without the feature that a refusal names (null: the
 * refusal is final), `notes` returns a sentence for people for each feature that the dialect leaves out.
 */
type Dialects<D> = {
  /** The HTTP statuses with which the wire refuses a field; left out = 400 and 422. */
  statuses?: readonly number[]
  /** True = its requests have calls of earlier answers as calls, also without tools. Other wires send them as text. */
  keepsCalls?: boolean
  plainer: (refusal: HttpFailure, dialect: D, request: ModelRequest) => D | null
  notes: (dialect: D, request: ModelRequest) => string[]
}

type Send<D> = (request: ModelRequest, dialect: D, signal: AbortSignal) => Promise<Response>

/** Note for a model that refused strict tools. */
export const withoutStrictTools =
  'The provider refused a strict schema of a tool, so the tools were sent without one. Arguments are checked before a tool runs, as always.'

const withToolsBefore =
  'The provider takes no history with calls without tools, so the tools of the request before were sent again, with the choice “none”.'

/** The oldest is forgotten for what is new: a server that refuses anew teaches it again. */
const mostLearned = 500

/**
 * Keeps what models turned out to accept, by `place` and model; forgotten with the process. A request that is refused for
 * an optional field by name is made again at once without it, before anything was shown. Each step of `plainer` takes
 * something away, so there are only few. A history with calls that is refused without tools is sent once more with tools.
 */
export function createPlainerSend<D>({
  plainer,
  notes,
  statuses = usualStatuses,
  keepsCalls = false,
}: Dialects<D>) {
  const learned = new Map<string, D>()
  const wantingTools = new Map<string, true>()
  return (place: string, initial: D, send: Send<D>): Wire['send'] =>
    async (request, signal, report) => {
      const key = `${place} ${request.modelId}`
      const bare = keepsCalls && (request.toolsBefore ?? []).length > 0
      let dialect = learned.get(key) ?? initial
      let requested = bare && wantingTools.has(key) ? withTools(request) : request
      for (;;) {
        try {
          const response = await send(requested, dialect, signal)
          if (requested !== request) {
            keep(wantingTools, key, true)
            report.note(withToolsBefore)
          }
          for (const sentence of notes(dialect, requested)) report.note(sentence)
          return response
        } catch (error) {
          if (!(error instanceof HttpFailure) || !statuses.includes(error.status)) throw error
          const next = plainer(error, dialect, requested)
          if (next) {
            dialect = next
            keep(learned, key, dialect)
          } else {
            if (!bare || requested !== request || !mayWantTools(error)) throw error
            requested = withTools(request)
          }
          if (!(await report.mayResend())) throw error
        }
      }
    }
}

/** Returns whether a refusal may be about missing tools: servers say that in words of their own, or not at all. */
function mayWantTools({ status, body }: HttpFailure): boolean {
  return httpMeaning(status, body).category === 'bad-request'
}

/** Returns the request with the tools that were offered last, none of which may be called. */
function withTools(request: ModelRequest): ModelRequest {
  const { toolsBefore = [], options = defaultOptions } = request
  return { ...request, tools: toolsBefore, options: { ...options, toolChoice: 'none' } }
}

function keep<V>(known: Map<string, V>, key: string, value: V): void {
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > mostLearned && oldest !== undefined) known.delete(oldest)
}
